package org.lagbench.core.timeseries;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads the intervals of a run from the receiver's capture, one a second from the first packet on, on a separate
 * thread. Its owner ends it by {@link #end} or {@link #close}.
 */
public final class IntervalMonitor implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_PACKET_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The owner of a monitor. All calls come from the monitor's thread, except the last in {@link #end}. */
    public interface Listener {
        /** Called when the monitor's thread has started. */
        default void started() {}

        /** Called when an interval is over. */
        void interval(ReceivedInterval interval);

        /** Called when the capture cannot be read; no interval follows. */
        void failed(LagbenchException reason);
    }

    private final Path runDirectory;
    private final int maximumStamps;
    private final Listener listener;
    private final BackgroundThread thread = new BackgroundThread("intervals", this::readUntilClosed);
    private volatile long sent = -1;

    /**
     * Starts the thread.
     *
     * @param runDirectory where the receiver has created its capture
     * @param maximumStamps the largest number of stamps in an interval
     */
    public IntervalMonitor(Path runDirectory, int maximumStamps, Listener listener) {
        this.runDirectory = runDirectory;
        this.maximumStamps = maximumStamps;
        this.listener = listener;
        thread.start();
    }

    private void readUntilClosed() {
        listener.started();
        try (IntervalReader reader =
                new IntervalReader(runDirectory.resolve(ReceiverCapture.FILE_NAME), maximumStamps)) {
            long endNs = INTERVAL_NS;
            long leftNs = FIRST_PACKET_CHECK_NS;
            while (!thread.isClosedWithin(leftNs)) {
                long elapsedNs = reader.elapsedNs();
                if (elapsedNs >= endNs) {
                    listener.interval(reader.next());
                    endNs += INTERVAL_NS * ((elapsedNs - endNs) / INTERVAL_NS + 1);
                }
                leftNs = elapsedNs < 0 ? FIRST_PACKET_CHECK_NS : Math.max(1, endNs - reader.elapsedNs());
            }
            if (sent >= 0) {
                listener.interval(reader.last(sent));
            }
        } catch (LagbenchException e) {
            listener.failed(e);
        }
    }

    /**
     * Reads the last interval after all packets arrived, and ends the thread.
     *
     * @param packetsSent the number of packets that were sent
     */
    public void end(long packetsSent) {
        sent = packetsSent;
        close();
    }

    /** Ends the thread. */
    @Override
    public void close() {
        thread.close();
    }
}

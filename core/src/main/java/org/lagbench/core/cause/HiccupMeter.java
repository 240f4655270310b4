package org.lagbench.core.cause;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.recorder.PacketThread;

/**
 * A thread that reads the sources of one side, and without a record of the scheduler how long the packet thread waited
 * for a CPU.
 */
final class HiccupMeter implements AutoCloseable {
    private final EventLog log;

    /** The thread whose waits are sampled; null if the record has them, or if it is unknown. */
    private final @Nullable PacketThread sampled;

    private final SourceReader reader;
    private final BackgroundThread thread = new BackgroundThread("stall-meter", this::meter);
    private volatile @Nullable String error;

    /**
     * Starts the thread.
     *
     * @param log receives the events, from the meter's thread, until the meter is closed
     * @param sampled the thread whose waits are sampled; null if the reader's record has them, or if it is unknown
     * @param reader of the sources, which has not begun
     */
    HiccupMeter(EventLog log, @Nullable PacketThread sampled, SourceReader reader) {
        this.log = log;
        this.sampled = sampled;
        this.reader = reader;
        thread.start();
    }

    /** Returns what could not be measured and why; null if everything was measured. */
    @Nullable
    String error() {
        return error;
    }

    /** Ends the thread and waits for its end. */
    @Override
    public void close() {
        thread.close();
    }

    private void meter() {
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
        } catch (IOException e) {
            error = "the timer slack of the stall meter cannot be set: " + IoErrors.reason(e);
        }
        PacketThread self = PacketThread.current();
        try (RunQueueDelay own = self == null ? null : RunQueueDelay.of(self);
                RunQueueMonitor watch = sampled == null ? null : RunQueueMonitor.of(sampled, log)) {
            read(own, watch);
        } catch (IOException e) {
            error = "waits for a CPU are unknown: " + IoErrors.reason(e);
            readWithoutWaits();
        }
    }

    private void readWithoutWaits() {
        try {
            read(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("reading hiccups without waits for a CPU must not read a file", e);
        }
    }

    private void read(@Nullable RunQueueDelay own, @Nullable RunQueueMonitor watch) throws IOException {
        long sleepNs = reader.sleepNs();
        reader.begin();
        RunQueueMonitor running = watch;
        while (!thread.isClosing()) {
            LockSupport.parkNanos(sleepNs);
            try {
                reader.afterSleep(sleepNs, own, running);
            } catch (IOException e) {
                if (running == null || sampled == null || !sampled.hasEnded()) {
                    throw e;
                }
                running = null; // the packet thread has ended
            }
        }
        reader.end();
    }
}

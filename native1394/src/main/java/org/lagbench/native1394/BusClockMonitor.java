package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureFields;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Records in a dedicated thread simultaneous readings of this machine's clock and the bus clock every
 * {@value #PERIOD_MS} ms, so that bus cycles can be converted to times: {@code at_ns}, CLOCK_REALTIME; {@code bus_ns},
 * the time of the bus since its second 0, which wraps every 128 s.
 */
final class BusClockMonitor implements AutoCloseable {
    static final String SENDER_FILE = "sender-cycles.npy";
    static final String RECEIVER_FILE = "receiver-cycles.npy";

    private static final long PERIOD_MS = 10;

    private final long clocks;
    private final GrowingCapture capture;
    private final ByteBuffer numbers = ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    private final BackgroundThread thread = new BackgroundThread("bus-clock", this::record);
    private volatile @Nullable IOException failure;
    private boolean closed;

    private BusClockMonitor(long clocks, GrowingCapture capture) {
        this.clocks = clocks;
        this.capture = capture;
        thread.start();
    }

    /**
     * Starts to record if the run records arrivals; otherwise returns null.
     *
     * @param fileName name of the file in the run's directory
     * @throws LagbenchException if the port cannot be opened again, or the file cannot be created
     */
    static @Nullable BusClockMonitor openFor(SideConfig run, int port, String fileName) throws LagbenchException {
        if (!run.stampsArrivals()) {
            return null;
        }
        Path file = run.captureFile().resolveSibling(fileName);
        long clocks = Raw1394.openClocks(port);
        if (clocks < 0) {
            throw Raw1394.unavailable("read the clock of the bus", port, clocks);
        }
        try {
            return new BusClockMonitor(clocks, GrowingCapture.create(file, CaptureFields.BUS_CLOCK));
        } catch (IOException e) {
            Raw1394.closeClocks(clocks);
            throw IoErrors.toException(file + " cannot be created", e);
        }
    }

    private void record() {
        try {
            do {
                int result = Raw1394.readClocks(clocks, numbers);
                if (result < 0) {
                    throw Raw1394.ioFailure("read the clock of the bus", result);
                }
                capture.append(numbers.getLong(Long.BYTES), numbers.getLong(0));
            } while (!thread.isClosedWithin(TimeUnit.MILLISECONDS.toNanos(PERIOD_MS)));
        } catch (IOException e) {
            failure = e;
        }
    }

    /**
     * Ends the thread and closes the file. May be called more than once.
     *
     * @throws IOException if reading or writing failed
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        thread.close();
        Raw1394.closeClocks(clocks);
        capture.close();
        if (failure != null) {
            throw failure;
        }
    }
}

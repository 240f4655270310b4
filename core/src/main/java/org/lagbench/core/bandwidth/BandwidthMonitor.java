package org.lagbench.core.bandwidth;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads the counters of a link periodically in a separate thread, and estimates the available bandwidth. The estimate
 * fails if no reading succeeds for the history period. All methods are thread-safe. They do not block, except
 * {@link #close}.
 */
public final class BandwidthMonitor implements AutoCloseable {
    /** The history period: the time after which the estimate is stable in figure 6 of Hu (2003). */
    public static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(4);

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Counters that are refreshed rarely are read more often, because the time of the refresh is not reported. */
    private static final long REFRESHED_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long JOIN_MS = 10_000;

    private final CounterSource.Counters counters;
    private final CounterHistory history;
    private final Thread thread = new Thread(this::poll, "bandwidth-monitor");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile double availableBitsPerS = CounterHistory.UNKNOWN;
    private volatile Latest latest = new Latest(0, CounterHistory.UNKNOWN);
    private volatile double ownBytes;
    private volatile @Nullable IOException failure;

    /**
     * The last sample of the counters.
     *
     * @param number number of the sample; 0 before the first sample
     * @param bitsPerS bandwidth available since the previous sample
     */
    public record Latest(long number, double bitsPerS) {}

    /** Opens the counters and starts the thread that reads them. */
    public BandwidthMonitor(CounterSource source, Bottleneck bottleneck) throws LagbenchException {
        this.counters = source.open(bottleneck);
        this.history = new CounterHistory(bottleneck, PERIOD_NS, counters.staleNs());
        thread.setDaemon(true);
        thread.start();
    }

    private void poll() {
        long intervalNs = counters.staleNs() == 0 ? INTERVAL_NS : REFRESHED_INTERVAL_NS;
        long readNs = System.nanoTime();
        try {
            do {
                double own = ownBytes;
                try {
                    CounterSource.CounterReading reading = counters.read();
                    readNs = System.nanoTime();
                    history.add(readNs, reading, own);
                    availableBitsPerS = history.availableBitsPerS();
                    latest = new Latest(history.samples(), history.lastBitsPerS());
                } catch (IOException e) {
                    if (System.nanoTime() - readNs >= PERIOD_NS) {
                        throw e;
                    }
                }
            } while (!closed.await(intervalNs, TimeUnit.NANOSECONDS));
        } catch (IOException e) {
            end(e);
        } catch (RuntimeException e) {
            end(new IOException(e.toString(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close() ends the thread
        }
    }

    private void end(IOException reason) {
        failure = reason;
        availableBitsPerS = CounterHistory.UNKNOWN;
    }

    /** Sets the bytes that this program has sent over the link so far, framing included. */
    public void sent(double bytes) {
        ownBytes = bytes;
    }

    /**
     * Returns the latest estimate in bits per second, framing included; {@link CounterHistory#UNKNOWN} before the first
     * estimate and after a failure.
     */
    public double availableBitsPerS() {
        return availableBitsPerS;
    }

    /** Returns the last sample, for forecasts. */
    public Latest latest() {
        return latest;
    }

    /** Returns why the counters can no longer be read; null if they can. */
    public @Nullable IOException failure() {
        return failure;
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        thread.interrupt(); // also ends a reading that blocks
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        counters.close();
    }
}

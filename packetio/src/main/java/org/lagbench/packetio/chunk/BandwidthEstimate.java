package org.lagbench.packetio.chunk;

import java.util.concurrent.TimeUnit;

/**
 * A running estimate of the bandwidth that a connection gets, from the bytes that the receiver acknowledges. The rate
 * is a measurement only while chunks wait for earlier ones; otherwise the link is not full, and the rate is a lower
 * bound. In that case the estimate rises. Before the first measurement it rises fast, so that chunks for a fast link
 * are not compressed. After it, the estimate rises slowly, to detect that the link became faster.
 */
final class BandwidthEstimate {
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double BITS_PER_BYTE = 8;
    private static final double NS_PER_S = 1e9;
    private static final double WEIGHT = 0.3;
    private static final double FIRST_RISE = 2;
    private static final double RISE = 1.02;

    private long beginNs = -1;
    private long beginBytes;
    private boolean isBusy;
    private boolean isMeasured;
    private long backlogBytes;
    private double bitsPerS = ChunkChooser.UNKNOWN;

    /** Begins a connection. The estimate of the bandwidth is kept. */
    void connected() {
        beginNs = -1;
        backlogBytes = 0;
    }

    /** Updates the estimate with the progress; see {@link ChunkChooser#progress}. */
    void progress(long atNs, long ackedBytes, long waitingBytes) {
        backlogBytes = waitingBytes;
        if (beginNs < 0) {
            begin(atNs, ackedBytes);
            return;
        }
        isBusy &= waitingBytes > 0;
        long elapsedNs = atNs - beginNs;
        if (elapsedNs < WINDOW_NS || ackedBytes <= beginBytes) {
            return;
        }
        double sample = BITS_PER_BYTE * NS_PER_S * (double) (ackedBytes - beginBytes) / (double) elapsedNs;
        if (!isBusy) {
            bitsPerS = Math.max(bitsPerS * (isMeasured ? RISE : FIRST_RISE), sample);
        } else {
            bitsPerS = isMeasured ? bitsPerS + WEIGHT * (sample - bitsPerS) : sample;
            isMeasured = true;
        }
        begin(atNs, ackedBytes);
    }

    private void begin(long atNs, long ackedBytes) {
        beginNs = atNs;
        beginBytes = ackedBytes;
        isBusy = true;
    }

    boolean isKnown() {
        return bitsPerS > 0;
    }

    /** Returns whether chunks waited for earlier ones at the last call of {@link #progress}. */
    boolean hasBacklog() {
        return backlogBytes > 0;
    }

    /** Returns the bandwidth in bits per second; {@link ChunkChooser#UNKNOWN} at first. */
    double bitsPerS() {
        return bitsPerS;
    }

    /** Returns the time to transmit this many bytes, in ns. The bandwidth must be known. */
    double transmissionNs(double bytes) {
        return BITS_PER_BYTE * NS_PER_S * bytes / bitsPerS;
    }
}

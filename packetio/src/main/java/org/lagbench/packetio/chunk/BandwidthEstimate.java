package org.lagbench.packetio.chunk;

import java.util.concurrent.TimeUnit;

/**
 * A running estimate of the bandwidth that a connection gets, from the bytes that the receiver acknowledges while
 * chunks wait for others. While none waits, what was acknowledged is only a lower bound. The estimate then rises: fast
 * until it was measured once, so that a fast link is not compressed for, then slowly, so that a faster link is noticed.
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

    /** Begins a connection. What is known about the bandwidth stays. */
    void connected() {
        beginNs = -1;
        backlogBytes = 0;
    }

    /** Notes the progress, see {@link ChunkChooser#progress}. */
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

    /** Returns whether chunks waited for others when the progress was last noted. */
    boolean hasBacklog() {
        return backlogBytes > 0;
    }

    /** Returns the bandwidth in bits per second; {@link ChunkChooser#UNKNOWN} at first. */
    double bitsPerS() {
        return bitsPerS;
    }

    /** Returns how long so many bytes take, in ns; only of a known bandwidth. */
    double transmissionNs(double bytes) {
        return BITS_PER_BYTE * NS_PER_S * bytes / bitsPerS;
    }
}

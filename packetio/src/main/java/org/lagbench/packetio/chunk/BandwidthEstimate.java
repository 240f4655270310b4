package org.lagbench.packetio.chunk;

import java.util.concurrent.TimeUnit;

/**
 * A running estimate of the bandwidth that a connection gets, from the bytes that the receiver acknowledges. The rate
 * is a measurement only while chunks wait for earlier ones; otherwise the link is not full, and the rate is a lower
 * bound. In that case the estimate rises. Before the first measurement it rises fast, so that chunks for a fast link
 * are not compressed. After it, the estimate rises slowly, to detect that the link became faster.
 */
final class BandwidthEstimate implements PathBandwidth {
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double WEIGHT = 0.3;
    private static final double FIRST_RISE = 2;
    private static final double RISE = 1.02;

    private long beginNs = -1;
    private long beginBytes;
    private boolean isBusy;
    private boolean isMeasured;
    private long backlogBytes;
    private double bitsPerS = ChunkChooser.UNKNOWN;

    @Override
    public void connected() {
        beginNs = -1;
        backlogBytes = 0;
    }

    @Override
    public void progress(long atNs, long ackedBytes, long waitingBytes) {
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

    @Override
    public boolean hasBacklog() {
        return backlogBytes > 0;
    }

    @Override
    public double bitsPerS() {
        return bitsPerS;
    }
}

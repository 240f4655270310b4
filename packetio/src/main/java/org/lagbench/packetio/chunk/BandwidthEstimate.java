package org.lagbench.packetio.chunk;

import java.util.concurrent.TimeUnit;

/**
 * A running estimate of the bandwidth that a connection gets, from the bytes that the receiver acknowledges. The rate
 * is a measurement only while the link is busy: bytes wait that the path's round trip does not explain. Otherwise the
 * rate is a lower bound, and the estimate rises until the link is busy.
 */
final class BandwidthEstimate {
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A window ends earlier if this many bytes were acknowledged. */
    private static final long WINDOW_BYTES = 1 << 17;

    private static final long SHORTEST_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** An estimate follows a change with this time constant. */
    private static final double AVERAGE_NS = 3e7;

    /** The time in which the estimate doubles while the link is not busy. */
    private static final double DOUBLE_NS = 1e8;

    /** The first estimates double in a window: chunks for a fast link should not be compressed. */
    private static final double FIRST_RISE = 2;

    /** A link is busy if more waits than this multiple of what is on its way. */
    private static final double ON_ITS_WAY = 1.25;

    /** A receiver's window limits a connection with a shorter round trip only if the receiver is slow. */
    private static final long LONG_RTT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final double BITS_PER_BYTE = 8;
    private static final double NS_PER_S = 1e9;

    private long beginNs = -1;
    private long beginBytes;
    private long beginLimitedNs;
    private long beginWritingNs;
    private long connectedNs = -1;
    private boolean isBusy;
    private boolean isMeasured;
    private boolean hasRisen;
    private boolean isReceiverSlow;
    private long ackedBytes;
    private long occupancyBytes;
    private long backlogBytes;
    private long minRttNs;
    private double bitsPerS = ChunkChooser.UNKNOWN;
    private double upperBitsPerS = ChunkChooser.UNKNOWN;

    /** Begins a connection. The estimate of the bandwidth is kept. */
    void connected() {
        beginNs = -1;
        connectedNs = -1;
        occupancyBytes = 0;
        backlogBytes = 0;
    }

    /** Updates the estimate with the state of the connection. */
    void progress(SocketState state) {
        ackedBytes = state.ackedBytes();
        occupancyBytes = state.occupancyBytes();
        backlogBytes = state.backlogBytes();
        minRttNs = state.minRttNs();
        if (beginNs < 0) {
            connectedNs = state.atNs();
            begin(state);
            return;
        }
        long elapsedNs = state.atNs() - beginNs;
        long bytes = ackedBytes - beginBytes;
        isBusy &= backlogBytes > 0;
        if (bitsPerS < 0) {
            double chunksBytes = (double) (ackedBytes + occupancyBytes - backlogBytes);
            upperBitsPerS = BITS_PER_BYTE * NS_PER_S * chunksBytes / (double) Math.max(1, state.atNs() - connectedNs);
        }
        boolean isCertain = isMeasured && !hasRisen;
        if (bytes <= 0
                || elapsedNs < SHORTEST_WINDOW_NS
                || isCertain && bytes < WINDOW_BYTES && elapsedNs < Math.max(WINDOW_NS, minRttNs)) {
            return;
        }
        double bytesPerNs = (double) bytes / (double) elapsedNs;
        boolean waits = state.notSentBytes() > occupancyBytes - backlogBytes
                || 2 * (state.writingNs() - beginWritingNs) > elapsedNs
                || (double) backlogBytes > ON_ITS_WAY * bytesPerNs * (double) minRttNs;
        isReceiverSlow = minRttNs < LONG_RTT_NS && 2 * (state.rwndLimitedNs() - beginLimitedNs) > elapsedNs;
        measured(BITS_PER_BYTE * NS_PER_S * bytesPerNs, (double) elapsedNs, isBusy && waits && !isReceiverSlow);
        begin(state);
    }

    private void measured(double sample, double elapsedNs, boolean wasBusy) {
        if (wasBusy) {
            double weight = isMeasured && !hasRisen ? elapsedNs / (elapsedNs + AVERAGE_NS) : 1;
            bitsPerS += weight * (sample - bitsPerS);
            isMeasured = true;
        } else {
            double rise = isMeasured ? 1 + elapsedNs / DOUBLE_NS : FIRST_RISE;
            bitsPerS = Math.max(rise * Math.max(bitsPerS, upperBitsPerS), sample);
        }
        hasRisen = !wasBusy;
    }

    private void begin(SocketState state) {
        beginNs = state.atNs();
        beginBytes = ackedBytes;
        beginLimitedNs = state.rwndLimitedNs();
        beginWritingNs = state.writingNs();
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

    /**
     * Returns the bandwidth in bits per second. Before the first measurement this is the bandwidth of a link that has
     * just carried one chunk more than was acknowledged: an upper bound, which falls while no acknowledgment arrives.
     */
    double atMostBitsPerS() {
        return isKnown() ? bitsPerS : upperBitsPerS;
    }

    /** Returns whether the connection waits for the receiver instead of the link. */
    boolean isReceiverSlow() {
        return isReceiverSlow;
    }

    /** Returns how long the link remains busy with what was written, in ns. The bandwidth must be known. */
    double drainNs() {
        return Math.max(0, transmissionNs(occupancyBytes) - (double) minRttNs);
    }

    /** Returns the time to transmit this many bytes, in ns. The bandwidth must be known. */
    double transmissionNs(double bytes) {
        return BITS_PER_BYTE * NS_PER_S * bytes / atMostBitsPerS();
    }
}

package org.lagbench.compression.chunk;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.text.Units;

/**
 * A running estimate of the bandwidth that a connection gets, from the bytes that the receiver acknowledges. The link
 * is busy if written bytes are still unacknowledged after a round trip, or if write calls take nearly all of the time.
 * The rate is then a measurement. Otherwise it is a lower bound, and the estimate rises until the link is busy, or
 * until it is the rate of the write calls: a write call to a virtual link transmits the bytes itself, and then the
 * sender's processor is the limit.
 */
final class BandwidthEstimate implements PathBandwidth {
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A window ends early when this number of bytes was acknowledged. */
    private static final long WINDOW_BYTES = 1 << 17;

    private static final long SHORTEST_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The time constant with which the estimate follows a change. */
    private static final double AVERAGE_NS = 3e7;

    /** The weight of the second of two consecutive rates that exceed twice the estimate, or are below half of it. */
    private static final double CHANGE_WEIGHT = 0.7;

    /** The time in which the estimate doubles while the link is not busy. */
    private static final double DOUBLE_NS = 8e7;

    /** The doubling time while the estimate is below {@link #NEAR} times a rate that the link has reached. */
    private static final double NEAR_DOUBLE_NS = 5e8;

    private static final double NEAR = 1.4;

    /** The maximum of {@link #patience}. */
    private static final double MAX_PATIENCE = 16;

    /** The first estimates double in each window, so that chunks for a fast link are soon sent uncompressed. */
    private static final double FIRST_RISE = 2;

    /** A link is busy if written bytes are still unacknowledged after this multiple of the round-trip time. */
    private static final double ROUND_TRIPS = 1.25;

    /** The link is busy if write calls transmit, or wait, for more than this part of the time. */
    private static final double BUSY_WRITES = 0.8;

    /** With a round trip shorter than this, the receive window limits a connection only if the receiver is slow. */
    private static final long LONG_RTT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private long beginNs = -1;
    private long beginBytes;
    private long beginLimitedNs;
    private long beginBlockedNs;
    private long connectedNs = -1;
    private long beginOccupancyBytes;
    private boolean isBusy;
    private boolean isJudged;
    private boolean isQueued;
    private boolean isMeasured;
    private boolean hasRisen;
    private boolean isReceiverSlow;
    private boolean isWriteLimited;
    private long ackedBytes;
    private long occupancyBytes;
    private long backlogBytes;
    private long minRttNs;
    private double bitsPerS = ChunkChooser.UNKNOWN;
    private double provenBitsPerS;
    private double upperBitsPerS = ChunkChooser.UNKNOWN;

    /** Whether the last rate was more than twice the estimate (1), or less than half of it (−1). */
    private int lastChange;

    /** A factor of the doubling time. Grows if the estimate rises to a rate that the link does not reach. */
    private double patience = 1;

    @Override
    public void connected(long previousBytes) {
        beginNs = -1;
        connectedNs = -1;
        occupancyBytes = 0;
        backlogBytes = 0;
    }

    @Override
    public void progress(SocketState state) {
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
            upperBitsPerS = Units.BITS_PER_BYTE
                    * Units.NS_PER_S
                    * chunksBytes
                    / (double) Math.max(1, state.atNs() - connectedNs);
        }
        long blockedForNs = state.blockedNs() - beginBlockedNs;
        boolean isBlocked = 2 * blockedForNs > elapsedNs;
        if (!isJudged && (double) elapsedNs > ROUND_TRIPS * (double) minRttNs && elapsedNs > SHORTEST_WINDOW_NS) {
            isJudged = true;
            isQueued = bytes < beginOccupancyBytes || isBlocked;
        }
        boolean isCertain = isMeasured && !hasRisen;
        if (bytes <= 0 || !isJudged || (isCertain && bytes < WINDOW_BYTES && elapsedNs < WINDOW_NS)) {
            return;
        }
        boolean waits = isQueued || isBlocked || state.notSentBytes() > occupancyBytes - backlogBytes;
        isReceiverSlow = minRttNs < LONG_RTT_NS && 2 * (state.rwndLimitedNs() - beginLimitedNs) > elapsedNs;
        double sample = Units.BITS_PER_BYTE * Units.NS_PER_S * (double) bytes / (double) elapsedNs;
        boolean writesAlways = (double) blockedForNs > BUSY_WRITES * (double) elapsedNs;
        boolean isWritten = !isBusy && !isReceiverSlow && blockedForNs > 0;
        double written = isWritten
                ? Units.BITS_PER_BYTE * Units.NS_PER_S * (double) bytes / (double) blockedForNs
                : Double.POSITIVE_INFINITY;
        measured(sample, (double) elapsedNs, ((isBusy && waits) || writesAlways) && !isReceiverSlow, written);
        begin(state);
    }

    /** @param written the rate of the write calls, if they may be the limit */
    private void measured(double sample, double elapsedNs, boolean wasBusy, double written) {
        isWriteLimited = false;
        if (wasBusy) {
            average(sample, elapsedNs);
            return;
        }
        provenBitsPerS = Math.max(provenBitsPerS, sample);
        double doubleNs = bitsPerS < NEAR * provenBitsPerS ? NEAR_DOUBLE_NS : DOUBLE_NS;
        double rise = isMeasured ? 1 + elapsedNs / (patience * doubleNs) : FIRST_RISE;
        double risen = Math.max(rise * Math.max(bitsPerS, upperBitsPerS), sample);
        if (risen < written) {
            bitsPerS = risen;
            hasRisen = true;
        } else {
            isWriteLimited = true;
            average(Math.max(written, sample), elapsedNs);
        }
    }

    private void average(double sample, double elapsedNs) {
        if (isMeasured && hasRisen) {
            patience = NEAR * sample < bitsPerS ? Math.min(2 * patience, MAX_PATIENCE) : 1;
        }
        int change = sample > 2 * bitsPerS ? 1 : 2 * sample < bitsPerS ? -1 : 0;
        boolean hasChanged = change != 0 && change == lastChange;
        lastChange = change;
        double weight = hasChanged ? CHANGE_WEIGHT : elapsedNs / (elapsedNs + AVERAGE_NS);
        bitsPerS += (isMeasured && !hasRisen ? weight : 1) * (sample - bitsPerS);
        provenBitsPerS = bitsPerS;
        isMeasured = true;
        hasRisen = false;
    }

    private void begin(SocketState state) {
        beginNs = state.atNs();
        beginBytes = ackedBytes;
        beginLimitedNs = state.rwndLimitedNs();
        beginBlockedNs = state.blockedNs();
        beginOccupancyBytes = occupancyBytes;
        isBusy = true;
        isJudged = false;
    }

    @Override
    public boolean hasBacklog() {
        return backlogBytes > 0;
    }

    @Override
    public double bitsPerS() {
        return bitsPerS;
    }

    /**
     * Returns the bandwidth in bits per second; an upper bound before the first measurement. The bound assumes that the
     * link has carried one chunk more than was acknowledged. It falls while no acknowledgment arrives.
     */
    double maxBitsPerS() {
        return isKnown() ? bitsPerS : upperBitsPerS;
    }

    /** Returns whether the connection waits for the receiver instead of the link. */
    boolean isReceiverSlow() {
        return isReceiverSlow;
    }

    /** Returns whether written bytes are unacknowledged, so that the kernel may be transmitting them. */
    boolean isTransmitting() {
        return occupancyBytes > 0;
    }

    /** Returns how long the link remains busy with the written bytes, in ns. The bandwidth must be known. */
    double drainNs() {
        return drainNs(maxBitsPerS());
    }

    /** Returns the same as {@link #drainNs()}, but computed from the bandwidth that the link has reached. */
    double provenDrainNs() {
        return drainNs(provenBitsPerS > 0 ? provenBitsPerS : maxBitsPerS());
    }

    private double drainNs(double ofBitsPerS) {
        double ns = Units.BITS_PER_BYTE * Units.NS_PER_S * (double) occupancyBytes / ofBitsPerS - (double) minRttNs;
        return isWriteLimited ? 0 : Math.max(0, ns);
    }

    @Override
    public double transmissionNs(double bytes) {
        return Units.BITS_PER_BYTE * Units.NS_PER_S * bytes / maxBitsPerS();
    }
}

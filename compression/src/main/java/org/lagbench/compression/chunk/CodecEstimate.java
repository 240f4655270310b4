package org.lagbench.compression.chunk;

import org.lagbench.core.text.Units;

/**
 * Running estimates of the ratio and the speed of one codec for one type of data. A low speed counts less if the kernel
 * may have transmitted previous chunks on the same processor meanwhile.
 */
final class CodecEstimate {
    private static final double WEIGHT = 0.25;

    /** The weights of a speed above the estimate, and of one below it, during transmission. */
    private static final double FASTER_WEIGHT = 0.5;

    private static final double SLOWER_WEIGHT = 1.0 / 16;

    /**
     * Encoded bytes per raw byte. This share is averaged, not the ratio, because transmission times are proportional to
     * the share.
     */
    private double share;

    private double bytesPerS;
    private boolean isMeasured;

    /** Creates estimates that the first measurement replaces. */
    CodecEstimate(double ratio, double bytesPerS) {
        this.share = 1 / ratio;
        this.bytesPerS = bytesPerS;
    }

    /** Replaces the initial speed by the speed measured with other data. */
    void assumeSpeed(double otherBytesPerS) {
        bytesPerS = otherBytesPerS;
    }

    /** @param isTransmitting whether bytes of previous chunks were unacknowledged */
    void measured(int rawBytes, int encodedBytes, long compressNs, boolean isTransmitting) {
        double nowShare = (double) encodedBytes / rawBytes;
        double nowBytesPerS = Units.NS_PER_S * rawBytes / Math.max(1, compressNs);
        double disturbedWeight = nowBytesPerS > bytesPerS ? FASTER_WEIGHT : SLOWER_WEIGHT;
        double weight = isTransmitting ? disturbedWeight : WEIGHT;
        share += (isMeasured ? WEIGHT : 1) * (nowShare - share);
        bytesPerS += (isMeasured ? weight : 1) * (nowBytesPerS - bytesPerS);
        isMeasured = true;
    }

    boolean isMeasured() {
        return isMeasured;
    }

    double ratio() {
        return 1 / share;
    }

    double bytesPerS() {
        return bytesPerS;
    }

    /** Returns the time to compress this many bytes, in ns. */
    double compressionNs(double bytes) {
        return Units.NS_PER_S * bytes / bytesPerS;
    }
}

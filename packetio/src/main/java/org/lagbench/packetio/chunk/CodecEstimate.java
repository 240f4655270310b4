package org.lagbench.packetio.chunk;

/** Running estimates of the ratio and the speed of one codec for one type of data. */
final class CodecEstimate {
    private static final double WEIGHT = 0.25;
    private static final double NS_PER_S = 1e9;

    /** Encoded bytes per raw byte. Averaged instead of the ratio, because transmission times are proportional to it. */
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

    void measured(int rawBytes, int encodedBytes, long compressNs) {
        double nowShare = (double) encodedBytes / rawBytes;
        double nowBytesPerS = NS_PER_S * rawBytes / Math.max(1, compressNs);
        double weight = isMeasured ? WEIGHT : 1;
        isMeasured = true;
        share += weight * (nowShare - share);
        bytesPerS += weight * (nowBytesPerS - bytesPerS);
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
        return NS_PER_S * bytes / bytesPerS;
    }
}

package org.lagbench.packetio.chunk;

/** Running estimates of the ratio and the speed of one codec for one type of data. */
final class CodecEstimate {
    private static final double WEIGHT = 0.25;
    private static final double NS_PER_S = 1e9;

    private double ratio;
    private double bytesPerS;
    private boolean isMeasured;

    /** Creates estimates that the first measurement replaces. */
    CodecEstimate(double ratio, double bytesPerS) {
        this.ratio = ratio;
        this.bytesPerS = bytesPerS;
    }

    void measured(int rawBytes, int encodedBytes, long compressNs) {
        double nowRatio = (double) rawBytes / encodedBytes;
        double nowBytesPerS = NS_PER_S * rawBytes / Math.max(1, compressNs);
        double weight = isMeasured ? WEIGHT : 1;
        isMeasured = true;
        ratio += weight * (nowRatio - ratio);
        bytesPerS += weight * (nowBytesPerS - bytesPerS);
    }

    boolean isMeasured() {
        return isMeasured;
    }

    double ratio() {
        return ratio;
    }

    double bytesPerS() {
        return bytesPerS;
    }

    /** Returns the time to compress this many bytes, in ns. */
    double compressionNs(double bytes) {
        return NS_PER_S * bytes / bytesPerS;
    }
}

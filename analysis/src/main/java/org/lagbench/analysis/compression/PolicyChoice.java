package org.lagbench.analysis.compression;

/**
 * How well a policy chose between two codecs, compared with transfers that used one of them for every chunk.
 *
 * @param isCompressionFaster whether compressing every chunk was faster than compressing none
 * @param right part of the chunks for which the policy chose the faster one, from 0 to 1
 * @param slowdown the policy's total relative to that of the faster one
 */
public record PolicyChoice(boolean isCompressionFaster, double right, double slowdown) {
    /**
     * Compares the transfers of a policy.
     *
     * @param none the same transfers with no chunk compressed
     * @param codec the same transfers with every chunk compressed by the policy's codec
     */
    public static PolicyChoice of(CompressionFigures policy, CompressionFigures none, CompressionFigures codec) {
        boolean isCompressionFaster = codec.medianTotalNs() < none.medianTotalNs();
        return new PolicyChoice(
                isCompressionFaster,
                isCompressionFaster ? policy.compressed() : 1 - policy.compressed(),
                policy.medianTotalNs() / Math.min(codec.medianTotalNs(), none.medianTotalNs()));
    }
}

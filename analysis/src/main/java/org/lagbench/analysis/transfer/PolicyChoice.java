package org.lagbench.analysis.transfer;

/**
 * How well a policy chose between its codec and no compression, compared with transfers of one choice for all chunks.
 *
 * @param isCompressionFaster whether compressing every chunk was faster than compressing none
 * @param right part of the chunks for which the policy made the faster choice, from 0 to 1
 * @param slowdown the policy's total time divided by the total time of the faster choice
 */
public record PolicyChoice(boolean isCompressionFaster, double right, double slowdown) {
    /**
     * Compares the transfers of a policy.
     *
     * @param none the same transfers with no chunk compressed
     * @param codec the same transfers with every chunk compressed by the policy's codec
     */
    public static PolicyChoice of(CompressionMetrics policy, CompressionMetrics none, CompressionMetrics codec) {
        boolean isCompressionFaster = codec.medianTotalNs() < none.medianTotalNs();
        return new PolicyChoice(
                isCompressionFaster,
                isCompressionFaster ? policy.chosen() : 1 - policy.chosen(),
                policy.medianTotalNs() / Math.min(codec.medianTotalNs(), none.medianTotalNs()));
    }
}

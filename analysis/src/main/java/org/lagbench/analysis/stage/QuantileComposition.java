package org.lagbench.analysis.stage;

import java.util.Map;

/**
 * The composition of a quantile of lag: the mean of each stage over the packets with nearly this lag, so that the
 * stages nearly add up to it.
 *
 * @param percent the quantile: 50, 95 or 99
 * @param lagNs its value in ns, estimator R-7, over the packets with all stages
 * @param packets number of packets within the band; if 0, the means are NaN
 * @param meanNs mean of each stage of the lag in ns
 */
public record QuantileComposition(int percent, double lagNs, long packets, Map<Stage, Double> meanNs) {
    /** Half the width of the band, in thousandths of the quantile. */
    public static final int BAND_PERMILLE = 5;

    /** Returns the sum of the stages in ns. */
    public double sumNs() {
        return meanNs.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

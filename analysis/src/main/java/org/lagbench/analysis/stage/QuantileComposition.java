package org.lagbench.analysis.stage;

import java.util.Map;

/**
 * What a quantile of lag is made of: the mean of each stage over the packets whose lag is within
 * {@value #BAND_PERMILLE} ‰ of that quantile, so that the stages add up to it that closely.
 *
 * @param percent the quantile: 50, 95 or 99
 * @param lagNs its value in ns, estimator R-7, over the packets of which all stages are known
 * @param packets how many packets are within the band; with none the means are NaN
 * @param meanNs mean of each stage of the lag in ns
 */
public record QuantileComposition(int percent, double lagNs, long packets, Map<Stage, Double> meanNs) {
    /** Half the width of the band, in thousandths of the quantile. */
    public static final int BAND_PERMILLE = 5;

    /** What the stages add up to, in ns. */
    public double sumNs() {
        return meanNs.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

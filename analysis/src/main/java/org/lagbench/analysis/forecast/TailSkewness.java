package org.lagbench.analysis.forecast;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.apache.commons.math3.util.FastMath;

/**
 * The skewness of the lognormal distribution whose tail is that of a sample. The skewness of the sample itself cannot
 * warn of a heavy tail: it is small as long as the largest values happen to be absent.
 */
final class TailSkewness {
    /** The median, and quantiles that a sample of 500 values has. */
    private static final double[] PERCENTS = {50, 85, 95, 99};

    /** The quantiles of the normal distribution, of {@link #PERCENTS}. */
    private static final double[] NORMAL = {0, 1.0364, 1.6449, 2.3263};

    private TailSkewness() {}

    /** Returns the skewness of the heavier tail, never negative. */
    static double of(double[] values) {
        return Math.max(
                ofUpper(values),
                ofUpper(Arrays.stream(values).map(value -> -value).toArray()));
    }

    /**
     * Returns the skewness of the upper tail, from the smaller of two slopes of the logarithms: a cluster of values,
     * such as spikes, makes only one of them steep.
     */
    private static double ofUpper(double[] values) {
        Percentile sample = new Percentile().withEstimationType(EstimationType.R_7);
        sample.setData(values);
        double median = sample.evaluate(PERCENTS[0]);
        double[] logs = Arrays.stream(PERCENTS)
                .map(percent -> FastMath.log(sample.evaluate(percent) - median))
                .toArray();
        double slope = Math.min(slope(logs, 1), slope(logs, 2));
        if (!(slope > 0)) {
            return 0; // instead of NaN: too few values differ from the median
        }
        double square = FastMath.exp(slope * slope);
        return (square + 2) * Math.sqrt(square - 1);
    }

    private static double slope(double[] logs, int at) {
        return (logs[at + 1] - logs[at]) / (NORMAL[at + 1] - NORMAL[at]);
    }
}

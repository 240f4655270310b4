package org.lagbench.analysis.comparison;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;

/**
 * The difference of the means of two independent samples, by Student's t with the variance of both together.
 *
 * @param value that of the second minus that of the first; NaN if one is empty
 * @param error its standard error; NaN without a sample of two values
 * @param count number of values of both
 */
record MeanDifference(double value, double error, int count) {
    /** The difference of samples that have none. */
    static final MeanDifference NONE = new MeanDifference(Double.NaN, Double.NaN, 0);

    static MeanDifference of(double[] before, double[] after) {
        int count = before.length + after.length;
        double squares =
                (before.length - 1) * StatUtils.variance(before) + (after.length - 1) * StatUtils.variance(after);
        return new MeanDifference(
                StatUtils.mean(after) - StatUtils.mean(before),
                Math.sqrt(squares / (count - 2) * (1.0 / before.length + 1.0 / after.length)),
                count);
    }

    Interval interval() {
        if (Double.isNaN(error)) {
            return new Interval(value, Double.NaN, Double.NaN);
        }
        double half = error * student().inverseCumulativeProbability((1 + Interval.CONFIDENCE) / 2);
        return new Interval(value, value - half, value + half);
    }

    /** Returns the distribution of the value in standard errors. There is none without an error. */
    TDistribution student() {
        return new TDistribution(null, count - 2.0);
    }
}

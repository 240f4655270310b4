package org.lagbench.analysis.comparison;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.RepeatDependence;
import org.lagbench.analysis.summary.RepeatEstimate;

/**
 * A difference with its standard error, of which Student's t is known.
 *
 * @param value that of the second minus that of the first; NaN if one is empty
 * @param error its standard error; NaN without a sample of two values
 * @param degrees the degrees of freedom of the error
 */
record MeanDifference(double value, double error, int degrees) {
    /** The difference of samples that have none. */
    static final MeanDifference NONE = new MeanDifference(Double.NaN, Double.NaN, 0);

    /** Returns that of the means of two independent samples, by the variance of both together. */
    static MeanDifference of(double[] before, double[] after) {
        int degrees = before.length + after.length - 2;
        double squares =
                (before.length - 1) * StatUtils.variance(before) + (after.length - 1) * StatUtils.variance(after);
        return new MeanDifference(
                StatUtils.mean(after) - StatUtils.mean(before),
                Math.sqrt(squares / degrees * (1.0 / before.length + 1.0 / after.length)),
                degrees);
    }

    /**
     * Returns a sum, or a function of sums, over repeats; without an error for fewer than {@value RepeatEstimate#MIN}.
     *
     * @param influences what each repeat adds to the value beyond the mean, in the order of time; they may depend on
     *     each other
     */
    static MeanDifference ofSum(double value, double[] influences) {
        int n = influences.length;
        double mean = StatUtils.mean(influences);
        double squares = Arrays.stream(influences)
                .map(influence -> (influence - mean) * (influence - mean))
                .sum();
        double dependence = RepeatDependence.of(influences).effective(1);
        return new MeanDifference(
                value, n < RepeatEstimate.MIN ? Double.NaN : Math.sqrt(n / (n - 1.0) * squares / dependence), n - 1);
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
        return new TDistribution(null, degrees);
    }
}

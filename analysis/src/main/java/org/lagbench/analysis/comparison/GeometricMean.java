package org.lagbench.analysis.comparison;

import java.util.Arrays;
import java.util.Collection;
import org.apache.commons.math3.distribution.TDistribution;
import org.lagbench.analysis.statistics.MeanInterval;

/**
 * The geometric mean of positive values, one for each repeat, with a 95 % interval. The values are those of one point,
 * or the ratios of two. A repeat is the unit, because the packets of a run are correlated.
 *
 * <p>The interval is that of the mean of the logarithms, {@link MeanInterval}.
 *
 * @param repeats number of values
 * @param mean the geometric mean; NaN without values
 * @param low lower end of the interval; NaN if there are fewer than two values
 * @param high upper end of the interval; NaN if there are fewer than two values
 * @param logMean mean of the logarithms
 * @param logError standard error of the mean of the logarithms; NaN if there are fewer than two values
 */
public record GeometricMean(int repeats, double mean, double low, double high, double logMean, double logError) {
    static GeometricMean of(double[] values) {
        MeanInterval logs = MeanInterval.of(Arrays.stream(values).map(Math::log).toArray());
        return new GeometricMean(
                values.length,
                Math.exp(logs.mean()),
                Math.exp(logs.low()),
                Math.exp(logs.high()),
                logs.mean(),
                logs.error());
    }

    static double[] array(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    public boolean hasInterval() {
        return repeats >= 2;
    }

    /** Returns whether the interval is a bootstrap. */
    public boolean isBootstrap() {
        return repeats >= MeanInterval.FEWEST;
    }

    /**
     * Returns the p-value of the hypothesis that the ratio is outside of the margin: the greater one of two one-sided t
     * tests of the logarithms (Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
     * J. Pharmacokinetics and Biopharmaceutics 15, 1987).
     *
     * @param margin ratios from 1/(1 + margin) to 1 + margin are within
     * @param doubt by how much the logarithm may be off for other reasons than the differences of the repeats
     * @return NaN if there are fewer than two values
     */
    double nonEquivalence(double margin, double doubt) {
        if (repeats < 2) {
            return Double.NaN;
        }
        double inside = Math.log1p(margin) - doubt - Math.abs(logMean);
        if (logError == 0) {
            return inside > 0 ? 0 : 1;
        }
        return inside == Double.NEGATIVE_INFINITY
                ? 1
                : new TDistribution(null, repeats - 1.0).cumulativeProbability(-inside / logError);
    }
}

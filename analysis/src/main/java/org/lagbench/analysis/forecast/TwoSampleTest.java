package org.lagbench.analysis.forecast;

import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.apache.commons.math3.stat.inference.MannWhitneyUTest;

/**
 * Two tests of the hypothesis that two samples are from the same distribution. They assume independent values, which
 * neighboring values of a series are not: a small p-value may come from the correlation. With many values they also
 * detect differences that do not matter. NaN if a sample has too few values.
 *
 * @param greatestDifference of the two empirical distributions (Kolmogorov and Smirnov)
 * @param kolmogorovSmirnov its p-value
 * @param mannWhitney the p-value of Mann and Whitney's U, by its normal approximation
 */
public record TwoSampleTest(double greatestDifference, double kolmogorovSmirnov, double mannWhitney) {
    private static final int FEWEST = 2;

    static TwoSampleTest of(double[] x, double[] y) {
        if (x.length < FEWEST || y.length < FEWEST) {
            return new TwoSampleTest(Double.NaN, Double.NaN, Double.NaN);
        }
        KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
        double difference = test.kolmogorovSmirnovStatistic(x, y);
        return new TwoSampleTest(
                difference,
                test.approximateP(difference, x.length, y.length),
                new MannWhitneyUTest().mannWhitneyUTest(x, y));
    }
}

package org.lagbench.analysis.compression;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * A value with the 95 % interval of a percentile bootstrap: {@value #RESAMPLES} resamples, seeded by {@value #SEED}.
 * Resamples whose value is not finite are left out.
 *
 * @param low lower end of the interval; NaN if no stratum has two observations
 * @param high upper end of the interval; NaN if no stratum has two observations
 */
public record Resampling(double value, double low, double high) {
    private static final int RESAMPLES = 1_999;
    private static final int SEED = 22;
    private static final double LOW_PERCENT = 2.5;
    private static final double HIGH_PERCENT = 97.5;

    /**
     * Resamples within strata, each of which keeps its size.
     *
     * @param strata indices of the observations of each stratum
     * @param statistic computes the value from the drawn indices
     */
    static Resampling of(int[][] strata, ToDoubleFunction<int[]> statistic) {
        int[] all = Arrays.stream(strata).flatMapToInt(Arrays::stream).toArray();
        double value = statistic.applyAsDouble(all);
        if (Arrays.stream(strata).allMatch(stratum -> stratum.length < 2)) {
            return new Resampling(value, Double.NaN, Double.NaN);
        }
        RandomGenerator random = new Well19937c(SEED);
        double[] values = new double[RESAMPLES];
        int[] drawn = new int[all.length];
        for (int i = 0; i < RESAMPLES; i++) {
            int at = 0;
            for (int[] stratum : strata) {
                for (int j = 0; j < stratum.length; j++) {
                    drawn[at++] = stratum[random.nextInt(stratum.length)];
                }
            }
            values[i] = statistic.applyAsDouble(drawn);
        }
        Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);
        percentile.setData(Arrays.stream(values).filter(Double::isFinite).toArray());
        return new Resampling(value, percentile.evaluate(LOW_PERCENT), percentile.evaluate(HIGH_PERCENT));
    }

    /** Resamples the mean of independent values. */
    static Resampling ofMean(double[] values) {
        int[] indices = new int[values.length];
        Arrays.setAll(indices, i -> i);
        return of(new int[][] {indices}, drawn -> Arrays.stream(drawn)
                .mapToDouble(i -> values[i])
                .average()
                .orElse(Double.NaN));
    }
}

package org.lagbench.analysis.forecast;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lagbench.analysis.forecast.Forecasters.TrendForecaster;

/**
 * Kalman's filter of a local level (Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter", 1989,
 * section 4.1.2): the level is a random walk with steps of variance Q, and a value is the level plus noise of variance
 * R. Variances are in units of R, so that the variance of the estimated level equals the gain K. With q = Q/R, a value
 * changes the gain to (K + q) / (K + q + 1), and the level by the gain times the error. A missing value adds q to K.
 * The gain tends to (√(q² + 4q) − q) / 2.
 *
 * <p>Without a given q, filters with q = 0, 2⁻²⁰, 2⁻¹⁹ … 2¹⁰ and ∞ learn each value, and the one with the largest
 * likelihood of all n errors e so far makes the forecast. With f = K + q + 1 before each value, and the best R, the
 * logarithm of its square is −n · log(Σ e²/f) − Σ log f.
 */
final class LocalLevel implements TrendForecaster {
    private static final int MIN_EXPONENT = -20;
    private static final int MAX_EXPONENT = 10;

    private final double[] q;
    private final double[] gains;
    private final double[] levels;
    private final double[] squares;
    private final double[] logs;
    private long errors;

    /** The index of the filter with the largest likelihood; of equals, the first. */
    private int best;

    /** Creates a filter that chooses q by its likelihood. */
    LocalLevel() {
        this(DoubleStream.concat(
                        DoubleStream.concat(
                                DoubleStream.of(0),
                                IntStream.rangeClosed(MIN_EXPONENT, MAX_EXPONENT)
                                        .mapToDouble(exponent -> Math.scalb(1.0, exponent))),
                        DoubleStream.of(Double.POSITIVE_INFINITY))
                .toArray());
    }

    /**
     * Creates a filter.
     *
     * @param q the ratios Q/R to choose from, 0 or more
     */
    LocalLevel(double... q) {
        this.q = q.clone();
        gains = new double[q.length];
        levels = new double[q.length];
        squares = new double[q.length];
        logs = new double[q.length];
        Arrays.fill(gains, Double.POSITIVE_INFINITY);
        Arrays.fill(levels, Double.NaN);
    }

    @Override
    public void learn(double value) {
        boolean isFirst = Double.isNaN(levels[0]);
        errors += isFirst ? 0 : 1;
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < q.length; i++) {
            double predicted = gains[i] + q[i];
            gains[i] = Double.isInfinite(predicted) ? 1 : predicted / (predicted + 1);
            if (isFirst) {
                levels[i] = value;
                continue;
            }
            double error = value - levels[i];
            levels[i] += gains[i] * error;
            double variance = Double.isInfinite(predicted) ? 1 : predicted + 1; // variance without noise, in units of Q
            squares[i] += error * error / variance;
            logs[i] += Math.log(variance);
            double likelihood = -errors * Math.log(squares[i]) - logs[i];
            if (likelihood > max) {
                max = likelihood;
                best = i;
            }
        }
    }

    @Override
    public void skip() {
        Arrays.setAll(gains, i -> gains[i] + q[i]);
    }

    @Override
    public void restart(double newLevel, int count) {
        Arrays.fill(levels, newLevel);
        Arrays.fill(gains, 1.0 / count);
    }

    @Override
    public double forecast(int step) {
        return levels[best];
    }
}

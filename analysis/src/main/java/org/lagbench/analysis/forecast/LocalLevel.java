package org.lagbench.analysis.forecast;

/**
 * Kalman's filter of a local level (Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter", 1989,
 * section 4.1.2): the level is a random walk with steps of variance Q, and a value is the level plus noise of variance
 * R. Variances are in units of R, so that the variance of the estimated level equals the gain K. With q = Q/R, a value
 * changes the gain to (K + q) / (K + q + 1), and the level by the gain times the error. A missing value adds q to K.
 * The gain tends to (√(q² + 4q) − q) / 2.
 *
 * <p>Without a given q, the filter estimates it from the differences of consecutive values, whose variance is Q + 2R
 * and whose covariance with the next difference is −R. Older differences count less, by .5 % for each newer one.
 */
final class LocalLevel implements TrendForecaster {
    private static final double MEMORY = .995;

    private final boolean estimates;
    private double q;
    private double gain = Double.POSITIVE_INFINITY;
    private double level = Double.NaN;
    private double previous = Double.NaN;
    private double previousDifference = Double.NaN;
    private double variance;
    private double weight;
    private double covariance;
    private double covarianceWeight;

    /** Creates a filter that estimates q. */
    LocalLevel() {
        estimates = true;
    }

    /**
     * Creates a filter with a fixed q.
     *
     * @param q the ratio Q/R, 0 or more
     */
    LocalLevel(double q) {
        this.q = q;
        estimates = false;
    }

    @Override
    public void learn(double value) {
        if (estimates) {
            estimate(value);
        }
        double predicted = gain + q;
        gain = Double.isInfinite(predicted) ? 1 : predicted / (predicted + 1);
        level = Double.isNaN(level) ? value : level + gain * (value - level);
    }

    private void estimate(double value) {
        double difference = value - previous;
        previous = value;
        if (!Double.isNaN(difference)) {
            variance = MEMORY * variance + difference * difference;
            weight = MEMORY * weight + 1;
            if (!Double.isNaN(previousDifference)) {
                covariance = MEMORY * covariance + difference * previousDifference;
                covarianceWeight = MEMORY * covarianceWeight + 1;
                double noise = -covariance / covarianceWeight;
                double steps = variance / weight - 2 * noise;
                q = noise > 0 ? Math.max(0, steps / noise) : Double.POSITIVE_INFINITY;
            }
        }
        previousDifference = difference;
    }

    @Override
    public void skip() {
        gain += q;
        previous = Double.NaN;
        previousDifference = Double.NaN;
    }

    @Override
    public void restart(double newLevel, int count) {
        level = newLevel;
        gain = 1.0 / count;
    }

    @Override
    public double forecast(int step) {
        return level;
    }

    /** Returns the gain that the newest value had. */
    double gain() {
        return gain;
    }
}

package org.lagbench.analysis.forecast;

import org.lagbench.analysis.forecast.Forecasters.TrendForecaster;

/**
 * Exponential smoothing with a damped trend (Gardner and McKenzie, "Forecasting trends in time series", 1985), in its
 * error-correction form: with the error e = x − (l + φb), the level l becomes l + φb + αe and the trend b becomes φb +
 * αβe. The forecast h values ahead is l + (φ + φ² + … + φ^h)b. It starts with l = x₁ and b = 0.
 *
 * <p>β is .1 and φ is .9. A missing value advances level and trend without a correction.
 */
final class DampedHolt implements TrendForecaster {
    private static final double BETA = .1;
    private static final double PHI = .9;
    private static final double[] DAMPING = damping();

    private final double alpha;
    private double level = Double.NaN;
    private double trend;

    /**
     * Creates a forecaster.
     *
     * @param alpha the gain α of the level
     */
    DampedHolt(double alpha) {
        this.alpha = alpha;
    }

    @Override
    public void learn(double value) {
        if (Double.isNaN(level)) {
            level = value;
            return;
        }
        skip();
        double error = value - level;
        level += alpha * error;
        trend += alpha * BETA * error;
    }

    @Override
    public void skip() {
        trend *= PHI;
        level += trend;
    }

    @Override
    public void restart(double newLevel, int count) {
        level = newLevel;
        trend = 0;
    }

    @Override
    public double forecast(int step) {
        return level + DAMPING[step] * trend;
    }

    /** Returns the sums φ + φ² + … + φ^h by h. */
    private static double[] damping() {
        double[] sums = new double[SeriesForecaster.MAX_STEP + 1];
        for (int step = 1; step < sums.length; step++) {
            sums[step] = PHI * (1 + sums[step - 1]);
        }
        return sums;
    }
}

package org.lagbench.analysis.forecast;

/** A forecaster with a level, which restarts when the series changes its level. */
interface TrendForecaster {
    void learn(double value);

    /** Advances over a missing value. */
    void skip();

    /**
     * Restarts after a change of level.
     *
     * @param level mean of the values since the change
     * @param count number of these values
     */
    void restart(double level, int count);

    /** Returns the forecast of the n-th next value, from 1; NaN before the first value. */
    double forecast(int step);
}

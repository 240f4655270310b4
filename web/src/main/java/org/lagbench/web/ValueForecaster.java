package org.lagbench.web;

/** Forecasts a series while its values arrive. One thread uses it. */
public interface ValueForecaster {
    /** Learns the next value; NaN if it is missing. */
    void learn(double value);

    /** Returns the forecast of the next value; NaN if there is none yet. */
    double next();

    /** Returns the half width of the interval around {@link #next}; NaN if there is none yet. */
    double halfWidth();

    /** Returns the name of the forecaster that made {@link #next}. */
    String selected();
}

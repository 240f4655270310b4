package org.lagbench.analysis.forecast;

/**
 * A forecaster and its errors. Numbers have the unit of the series; NaN where there is no value, or no error, yet.
 *
 * @param name its name in tables and files
 * @param forecast its forecast
 * @param mse mean squared error of its forecasts so far
 * @param mae mean absolute error of its forecasts so far
 */
public record ForecasterScore(String name, ForecasterKind kind, double forecast, double mse, double mae) {}

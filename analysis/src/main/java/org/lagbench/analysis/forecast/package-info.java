/**
 * Forecasts of a time series, value by value: the forecasters of the Network Weather Service (Wolski 1998), further
 * ones, and intervals for the next value. {@link org.lagbench.analysis.forecast.SeriesForecaster} combines them.
 */
@NullMarked
package org.lagbench.analysis.forecast;

import org.jspecify.annotations.NullMarked;

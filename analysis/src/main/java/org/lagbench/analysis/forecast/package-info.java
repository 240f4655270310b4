/**
 * Time series: their files, forecasts value by value, and whether two are equivalent. The forecasters are those of the
 * Network Weather Service (Wolski 1998) and further ones, with intervals for the next value;
 * {@link org.lagbench.analysis.forecast.SeriesForecaster} combines them.
 */
@NullMarked
package org.lagbench.analysis.forecast;

import org.jspecify.annotations.NullMarked;

package org.lagbench.analysis.forecast;

import org.apache.commons.math3.stat.descriptive.moment.Variance;

/**
 * A series and how well it can be forecast.
 *
 * @param name where it is from
 * @param values number of known values
 * @param missing number of missing values
 * @param mean NaN without values
 * @param variance of the sample, divisor n − 1
 * @param mse mean squared error of its forecasts
 * @param mae mean absolute error of its forecasts
 * @param errors distribution of the errors of its forecasts
 */
public record SeriesFigures(
        String name,
        long values,
        long missing,
        double mean,
        double variance,
        double mse,
        double mae,
        ErrorCurve errors) {
    static SeriesFigures of(String name, double[] known, long missing, double[] errors) {
        double squared = 0;
        double absolute = 0;
        for (double error : errors) {
            squared += error * error;
            absolute += Math.abs(error);
        }
        Variance variance = new Variance();
        variance.incrementAll(known);
        double mean = 0;
        for (int i = 0; i < known.length; i++) {
            mean += (known[i] - mean) / (i + 1);
        }
        return new SeriesFigures(
                name,
                known.length,
                missing,
                known.length == 0 ? Double.NaN : mean,
                known.length < 2 ? Double.NaN : variance.getResult(),
                squared / errors.length,
                absolute / errors.length,
                ErrorCurve.of(errors));
    }
}

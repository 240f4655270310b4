package org.lagbench.analysis.forecast;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Lines of least squares from the first series' values to the second's. Krintz and Wolski compare the slope with 1.
 * Their tables agree with a line through the origin: 1.18 for means of 1.41 and 1.66. NaN if there are too few pairs.
 *
 * @param pairs number of pairs
 * @param slope of the line through the origin
 * @param rSquared of the line through the origin: 1 − its squared errors divided by the squared values
 * @param freeSlope of the line with an intercept
 * @param intercept where the line with an intercept is at 0
 * @param freeRSquared of the line with an intercept: the squared correlation
 */
public record Regression(
        long pairs, double slope, double rSquared, double freeSlope, double intercept, double freeRSquared) {
    static Regression of(double[] x, double[] y) {
        SimpleRegression origin = new SimpleRegression(false);
        SimpleRegression free = new SimpleRegression(true);
        for (int i = 0; i < x.length; i++) {
            origin.addData(x[i], y[i]);
            free.addData(x[i], y[i]);
        }
        return new Regression(
                x.length,
                origin.getSlope(),
                origin.getRSquare(),
                free.getSlope(),
                free.getIntercept(),
                free.getRSquare());
    }
}

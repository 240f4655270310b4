package org.lagbench.analysis.forecast;

import java.util.Arrays;

/** The errors of all forecasters at one horizon, over the whole history, and of primary ones over the last values. */
final class ErrorScores {
    private static final int PRIMARY = Forecasters.PRIMARY;

    private final double[] squared = new double[Forecasters.COUNT];
    private final double[] absolute = new double[Forecasters.COUNT];
    private final double[] newest = new double[2 * PRIMARY];
    private final SlidingSums[] recent = Arrays.stream(Forecasters.HISTORIES)
            .filter(length -> length > 0)
            .mapToObj(length -> new SlidingSums(2 * PRIMARY, length))
            .toArray(SlidingSums[]::new);
    private final double[] sums = new double[2 * PRIMARY];
    private final int[] selected = new int[Forecasters.DERIVED];
    private long errors;

    /**
     * Scores the forecasts of a value.
     *
     * @param forecasts those of all forecasters
     */
    void score(double value, double[] forecasts) {
        for (int i = 0; i < squared.length; i++) {
            double error = value - forecasts[i];
            squared[i] += error * error;
            absolute[i] += Math.abs(error);
        }
        for (int i = 0; i < PRIMARY; i++) {
            double error = value - forecasts[i];
            newest[i] = error * error;
            newest[PRIMARY + i] = Math.abs(error);
        }
        selected[0] = leastSquared(0, PRIMARY);
        selected[1] = leastAbsolute(0, PRIMARY);
        for (int i = 0; i < recent.length; i++) {
            recent[i].add(newest);
            recent[i].sums(sums);
            selected[2 * i + 2] = least(sums, 0, PRIMARY);
            selected[2 * i + 3] = least(sums, PRIMARY, 2 * PRIMARY) - PRIMARY;
        }
        errors++;
    }

    /** Returns the index of the primary forecaster that a derived one, from 0, selects. */
    int selectedBy(int derived) {
        return selected[derived];
    }

    /** Returns the index of the forecaster with the least squared error in a range. */
    int leastSquared(int from, int until) {
        return least(squared, from, until);
    }

    /** Returns the index of the forecaster with the least absolute error in a range. */
    int leastAbsolute(int from, int until) {
        return least(absolute, from, until);
    }

    private static int least(double[] sums, int from, int until) {
        int least = from;
        double leastSum = sums[from];
        for (int i = from + 1; i < until; i++) {
            if (sums[i] < leastSum) {
                leastSum = sums[i];
                least = i;
            }
        }
        return least;
    }

    /** Returns the mean squared error; NaN without errors. */
    double mse(int forecaster) {
        return errors == 0 ? Double.NaN : squared[forecaster] / errors;
    }

    /** Returns the mean absolute error; NaN without errors. */
    double mae(int forecaster) {
        return errors == 0 ? Double.NaN : absolute[forecaster] / errors;
    }
}

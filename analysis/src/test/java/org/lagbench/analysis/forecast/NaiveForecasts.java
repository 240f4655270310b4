package org.lagbench.analysis.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The 34 forecasters of the Network Weather Service by their definitions, each computed from all values so far. Slow,
 * and shares no code with the forecasters that it checks.
 */
final class NaiveForecasts {
    private static final double[] GAINS = {.05, .1, .15, .2, .3, .4, .5, .75};
    private static final int[] HISTORIES = {Integer.MAX_VALUE, 1, 5, 10, 20, 30, 50, 100};

    private final List<Double> values = new ArrayList<>();

    /** The errors of each forecaster, oldest first. */
    private final double[][] errors = new double[34][200];

    private int errorCount;

    private int smallWindow = 10;
    private int largeWindow = 30;
    private double[] forecasts = {};

    void learn(double value) {
        if (Double.isNaN(value)) {
            return;
        }
        for (int i = 0; i < forecasts.length; i++) {
            errors[i][errorCount] = value - forecasts[i];
        }
        errorCount += forecasts.length == 0 ? 0 : 1;
        if (!values.isEmpty()) {
            smallWindow = adapted(smallWindow, 1, 5, 21, value);
            largeWindow = adapted(largeWindow, 5, 21, 51, value);
        }
        values.add(value);
        forecasts = new double[34];
        forecasts[0] = value;
        forecasts[1] = mean(last(values.size()));
        for (int i = 0; i < GAINS.length; i++) {
            double f = values.get(0);
            for (double x : values.subList(1, values.size())) {
                f += GAINS[i] * (x - f);
            }
            forecasts[2 + i] = f;
        }
        forecasts[10] = median(last(31));
        forecasts[11] = median(last(5));
        forecasts[12] = mean(last(31));
        forecasts[13] = mean(last(5));
        forecasts[14] = trimmedMean(last(31));
        forecasts[15] = trimmedMean(last(51));
        forecasts[16] = median(last(smallWindow));
        forecasts[17] = median(last(largeWindow));
        for (int i = 0; i < HISTORIES.length; i++) {
            forecasts[18 + 2 * i] = forecasts[best(HISTORIES[i], true)];
            forecasts[19 + 2 * i] = forecasts[best(HISTORIES[i], false)];
        }
    }

    /** Returns the forecasts of all forecasters in their order. */
    double[] forecasts() {
        return forecasts;
    }

    double meanError(int forecaster, boolean isSquared) {
        return sum(forecaster, errorCount, isSquared) / errorCount;
    }

    /** Returns whether a derived forecaster may have this forecast, because the errors of several are nearly equal. */
    boolean isTied(int derived, double forecast) {
        int history = HISTORIES[(derived - 18) / 2];
        boolean isSquared = derived % 2 == 0;
        double min = sum(best(history, isSquared), history, isSquared);
        return IntStream.range(0, 18)
                .anyMatch(i -> sum(i, history, isSquared) <= min * (1 + 1e-9) && forecasts[i] == forecast);
    }

    private int best(int history, boolean isSquared) {
        int best = 0;
        double min = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 18; i++) {
            double sum = sum(i, history, isSquared);
            if (sum < min) {
                min = sum;
                best = i;
            }
        }
        return best;
    }

    private double sum(int forecaster, int history, boolean isSquared) {
        double sum = 0;
        for (int i = Math.max(0, errorCount - history); i < errorCount; i++) {
            double error = errors[forecaster][i];
            sum += isSquared ? error * error : Math.abs(error);
        }
        return sum;
    }

    private int adapted(int window, int step, int min, int max, double value) {
        int shorter = Math.max(min, window - step);
        int longer = Math.min(max, window + step);
        int best = window;
        for (int candidate : new int[] {shorter, longer}) {
            if (Math.abs(value - median(last(candidate))) < Math.abs(value - median(last(best)))) {
                best = candidate;
            }
        }
        return best;
    }

    private double[] last(int count) {
        double[] last = new double[Math.min(count, values.size())];
        for (int i = 0; i < last.length; i++) {
            last[i] = values.get(values.size() - last.length + i);
        }
        return last;
    }

    private static double mean(double[] window) {
        double sum = 0;
        for (double value : window) {
            sum += value;
        }
        return sum / window.length;
    }

    private static double median(double[] window) {
        Arrays.sort(window);
        int n = window.length;
        return n % 2 == 1 ? window[n / 2] : (window[n / 2 - 1] + window[n / 2]) / 2;
    }

    private static double trimmedMean(double[] window) {
        Arrays.sort(window);
        int cut = (int) Math.floor(window.length * 3 / 10.0);
        return mean(Arrays.copyOfRange(window, cut, window.length - cut));
    }
}

package org.lagbench.analysis.forecast;

import java.util.Arrays;
import java.util.List;

/**
 * The 18 primary forecasters of the Network Weather Service (Wolski, "Dynamically forecasting network performance using
 * the Network Weather Service", 1998). A forecast is the same for all later values. A window that is not full contains
 * all values so far. Missing values are ignored.
 */
final class PrimaryForecasters {
    /** The forecasters' names. Of two with the same error, the first is selected, as in the Network Weather Service. */
    static final List<String> NAMES = List.of(
            "last value",
            "running mean",
            "smoothing .05",
            "smoothing .10",
            "smoothing .15",
            "smoothing .20",
            "smoothing .30",
            "smoothing .40",
            "smoothing .50",
            "smoothing .75",
            "median of 31",
            "median of 5",
            "mean of 31",
            "mean of 5",
            "trimmed mean of 31",
            "trimmed mean of 51",
            "adaptive median 5–21",
            "adaptive median 21–51");

    static final int COUNT = 18;

    private static final double[] GAINS = {.05, .10, .15, .20, .30, .40, .50, .75};

    private final ValueWindow window = new ValueWindow(51);
    private final SlidingSums sumOf5 = new SlidingSums(1, 5);
    private final SlidingSums sumOf31 = new SlidingSums(1, 31);
    private final double[] forecasts = new double[COUNT];
    private int upTo21 = 10;
    private int upTo51 = 30;
    private double sum;
    private long count;

    PrimaryForecasters() {
        Arrays.fill(forecasts, Double.NaN);
    }

    void learn(double value) {
        if (count > 0) {
            upTo21 = adapted(value, upTo21, 1, 5, 21);
            upTo51 = adapted(value, upTo51, 5, 21, 51);
        }
        window.add(value);
        sumOf5.add(value);
        sumOf31.add(value);
        sum += value;
        count++;
        int next = 0;
        forecasts[next++] = value;
        forecasts[next++] = sum / count;
        for (double gain : GAINS) {
            forecasts[next] = count == 1 ? value : forecasts[next] + gain * (value - forecasts[next]);
            next++;
        }
        forecasts[next++] = window.median(31);
        forecasts[next++] = window.median(5);
        forecasts[next++] = sumOf31.sum(0) / Math.min(count, 31);
        forecasts[next++] = sumOf5.sum(0) / Math.min(count, 5);
        forecasts[next++] = window.trimmedMean(31);
        forecasts[next++] = window.trimmedMean(51);
        forecasts[next++] = window.median(upTo21);
        forecasts[next] = window.median(upTo51);
    }

    /**
     * Returns the length of an adaptive median's window after a value that is not yet in the series (Wolski 1998). The
     * medians of the current length, and of one step shorter and longer, are compared with the value. The nearest wins;
     * of equals, the current one, then the shorter.
     */
    private int adapted(double value, int length, int step, int min, int max) {
        int shorter = Math.max(min, length - step);
        int longer = Math.min(max, length + step);
        double ofPresent = Math.abs(value - window.median(length));
        double ofShorter = Math.abs(value - window.median(shorter));
        double ofLonger = Math.abs(value - window.median(longer));
        if (ofShorter < ofPresent && ofShorter <= ofLonger) {
            return shorter;
        }
        return ofLonger < ofPresent ? longer : length;
    }

    /** Returns the forecasts in the order of {@link #NAMES}; NaN before the first value. */
    double[] forecasts() {
        return forecasts;
    }
}

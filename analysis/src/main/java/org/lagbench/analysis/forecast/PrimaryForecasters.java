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

    private static final int GREATEST_WINDOW = 51;
    private static final double[] GAINS = {.05, .10, .15, .20, .30, .40, .50, .75};

    private final RecentValues recent = new RecentValues(GREATEST_WINDOW + 1);
    private final SortedWindow of5 = new SortedWindow(recent, 5);
    private final SortedWindow of31 = new SortedWindow(recent, 31);
    private final SortedWindow of51 = new SortedWindow(recent, GREATEST_WINDOW);
    private final SlidingSums sumOf5 = new SlidingSums(1, 5);
    private final SlidingSums sumOf31 = new SlidingSums(1, 31);
    private final AdaptiveMedian upTo21 = new AdaptiveMedian(recent, 5, 21, 10, 1);
    private final AdaptiveMedian upTo51 = new AdaptiveMedian(recent, 21, GREATEST_WINDOW, 30, 5);
    private final double[] newest = new double[1];
    private final double[] forecasts = new double[COUNT];
    private double sum;
    private long count;

    PrimaryForecasters() {
        Arrays.fill(forecasts, Double.NaN);
    }

    void learn(double value) {
        upTo21.adapt(value);
        upTo51.adapt(value);
        newest[0] = value;
        recent.add(value);
        of5.slide();
        of31.slide();
        of51.slide();
        upTo21.slide();
        upTo51.slide();
        sumOf5.add(newest);
        sumOf31.add(newest);
        sum += value;
        count++;
        int next = 0;
        forecasts[next++] = value;
        forecasts[next++] = sum / count;
        for (double gain : GAINS) {
            forecasts[next] = count == 1 ? value : forecasts[next] + gain * (value - forecasts[next]);
            next++;
        }
        forecasts[next++] = of31.median();
        forecasts[next++] = of5.median();
        forecasts[next++] = sumOf31.sum(0) / Math.min(count, 31);
        forecasts[next++] = sumOf5.sum(0) / Math.min(count, 5);
        forecasts[next++] = of31.trimmedMean();
        forecasts[next++] = of51.trimmedMean();
        forecasts[next++] = upTo21.median();
        forecasts[next] = upTo51.median();
    }

    /** Returns the forecasts in the order of {@link #NAMES}; NaN before the first value. */
    double[] forecasts() {
        return forecasts;
    }
}

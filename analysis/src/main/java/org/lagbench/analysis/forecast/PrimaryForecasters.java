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

    private final ValueWindow of5 = new ValueWindow(5);
    private final ValueWindow of31 = new ValueWindow(31);
    private final ValueWindow of51 = new ValueWindow(51);
    private final SlidingSums sumOf5 = new SlidingSums(1, 5);
    private final SlidingSums sumOf31 = new SlidingSums(1, 31);
    private final AdaptiveMedian upTo21 = new AdaptiveMedian(5, 21, 10, 1);
    private final AdaptiveMedian upTo51 = new AdaptiveMedian(21, 51, 30, 5);
    private final double[] newest = new double[1];
    private final double[] forecasts = new double[COUNT];
    private double sum;
    private long count;

    /**
     * A median whose window adapts (Wolski 1998). When a value arrives, the medians of the window before it, and of
     * windows one step shorter and longer, are compared with it. The window whose median was nearest is used from now
     * on; of equals, the current one, then the shorter.
     */
    private static final class AdaptiveMedian {
        private final int min;
        private final int max;
        private final int step;
        private int window;

        AdaptiveMedian(int min, int max, int start, int step) {
            this.min = min;
            this.max = max;
            this.step = step;
            this.window = start;
        }

        /** Adapts the window to a value that is not yet in the series. */
        void adapt(ValueWindow series, double value) {
            if (series.count() == 0) {
                return;
            }
            int shorter = Math.max(min, window - step);
            int longer = Math.min(max, window + step);
            double ofPresent = Math.abs(value - series.median(window));
            double ofShorter = Math.abs(value - series.median(shorter));
            double ofLonger = Math.abs(value - series.median(longer));
            if (ofShorter < ofPresent && ofShorter <= ofLonger) {
                window = shorter;
            } else if (ofLonger < ofPresent) {
                window = longer;
            }
        }
    }

    PrimaryForecasters() {
        Arrays.fill(forecasts, Double.NaN);
    }

    void learn(double value) {
        upTo21.adapt(of51, value);
        upTo51.adapt(of51, value);
        newest[0] = value;
        of5.add(value);
        of31.add(value);
        of51.add(value);
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
        forecasts[next++] = of51.median(upTo21.window);
        forecasts[next] = of51.median(upTo51.window);
    }

    /** Returns the forecasts in the order of {@link #NAMES}; NaN before the first value. */
    double[] forecasts() {
        return forecasts;
    }
}

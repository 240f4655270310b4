package org.lagbench.analysis.forecast;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/** The forecasts of all forecasters a fixed number of values ahead, their errors, and the selected forecast. */
final class Horizon {
    private static final int PRIMARY = Forecasters.PRIMARY;
    private static final double REACH = 2;

    private final int steps;
    private final Selection selection;
    private final ConformalWidth conformal = new ConformalWidth();

    /** The forecasts of the next values, at most one for each step; the first is that of the next value. */
    private final Deque<Made> pending = new ArrayDeque<>();

    private Made newest;
    private int choice;

    /** The sums of squared and of absolute errors of each forecaster; those of the selected forecasts are last. */
    private final double[] squared = new double[Forecasters.COUNT + 1];

    private final double[] absolute = new double[Forecasters.COUNT + 1];
    private long errors;

    /** The squared errors of the primary forecasters, then their absolute ones, over each history but the whole. */
    private final SlidingSums[] recent = Arrays.stream(Forecasters.HISTORIES)
            .skip(1)
            .mapToObj(length -> new SlidingSums(2 * PRIMARY, length))
            .toArray(SlidingSums[]::new);

    /** The primary forecaster that each derived one selects. */
    private final int[] selected = new int[Forecasters.DERIVED];

    private final Captured ofMse;
    private final Captured ofConformal;

    Horizon(int steps, Selection selection, Domain domain) {
        this.steps = steps;
        this.selection = selection;
        ofMse = new Captured(domain);
        ofConformal = new Captured(domain);
        double[] none = new double[Forecasters.COUNT];
        Arrays.fill(none, Double.NaN);
        newest = new Made(none, Double.NaN, Double.NaN, Double.NaN);
    }

    /** The forecasts of a value by all forecasters, the selected one, and the half widths of its intervals. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Made(double[] forecasts, double selected, double mseHalfWidth, double conformalHalfWidth) {}

    /** Counts how many values one kind of interval captured. */
    private static final class Captured {
        private final Domain domain;
        private long intervals;
        private long captured;

        Captured(Domain domain) {
            this.domain = domain;
        }

        void count(double error, double halfWidth) {
            if (!Double.isNaN(halfWidth)) {
                intervals++;
                captured += Math.abs(error) <= halfWidth ? 1 : 0;
            }
        }

        CoveredInterval interval(double forecast, double halfWidth) {
            return new CoveredInterval(
                    domain.nearest(forecast - halfWidth), domain.nearest(forecast + halfWidth), intervals, captured);
        }
    }

    /** Scores the forecasts that were made for a value. */
    void score(double value) {
        Made made = pending.size() < steps ? null : pending.peek();
        if (made == null || Double.isNaN(made.selected())) {
            return;
        }
        double[] scored = Arrays.copyOf(made.forecasts(), squared.length);
        scored[Forecasters.COUNT] = made.selected();
        double[] last = new double[2 * PRIMARY];
        for (int i = 0; i < scored.length; i++) {
            double error = value - scored[i];
            squared[i] += error * error;
            absolute[i] += Math.abs(error);
            if (i < PRIMARY) {
                last[i] = error * error;
                last[PRIMARY + i] = Math.abs(error);
            }
        }
        ofMse.count(value - made.selected(), made.mseHalfWidth());
        ofConformal.count(value - made.selected(), made.conformalHalfWidth());
        conformal.learn(value - made.selected(), made.conformalHalfWidth());
        errors++;
        selected[0] = min(squared, 0, PRIMARY);
        selected[1] = min(absolute, 0, PRIMARY);
        double[] sums = new double[2 * PRIMARY];
        for (int i = 0; i < recent.length; i++) {
            recent[i].add(last);
            recent[i].sums(sums);
            selected[2 * i + 2] = min(sums, 0, PRIMARY);
            selected[2 * i + 3] = min(sums, PRIMARY, 2 * PRIMARY) - PRIMARY;
        }
    }

    private static int min(double[] sums, int from, int until) {
        int min = from;
        for (int i = from + 1; i < until; i++) {
            min = sums[i] < sums[min] ? i : min;
        }
        return min;
    }

    /** Makes the forecasts that the newest value allows. */
    void forecast(double[] primary) {
        double[] forecasts = Arrays.copyOf(primary, Forecasters.COUNT);
        for (int i = 0; i < Forecasters.DERIVED; i++) {
            forecasts[PRIMARY + i] = primary[selected[i]];
        }
        choice = switch (selection) {
            case PAPER -> min(squared, 0, PRIMARY);
            case NWS -> min(squared, PRIMARY, Forecasters.COUNT);
            case MAE -> min(absolute, 0, PRIMARY);
        };
        newest = new Made(
                forecasts,
                forecasts[choice],
                REACH * Math.sqrt(mean(squared, Forecasters.COUNT)),
                conformal.halfWidth());
        if (pending.size() == steps) {
            pending.remove();
        }
        pending.add(newest);
    }

    /** Returns the mean of a forecaster's errors; NaN without errors. */
    private double mean(double[] sums, int forecaster) {
        return errors == 0 ? Double.NaN : sums[forecaster] / errors;
    }

    String selectedName() {
        return Forecasters.NAMES.get(choice);
    }

    /** Returns the forecasts of the value at this horizon. */
    Made newest() {
        return newest;
    }

    CoveredInterval mseInterval() {
        return ofMse.interval(newest.selected(), newest.mseHalfWidth());
    }

    CoveredInterval conformalInterval() {
        return ofConformal.interval(newest.selected(), newest.conformalHalfWidth());
    }

    /** Returns all metrics at this horizon. */
    StepForecast stepForecast() {
        return new StepForecast(
                steps,
                newest.selected(),
                selectedName(),
                Forecasters.NAMES.get(choice < PRIMARY ? choice : selected[choice - PRIMARY]),
                mseInterval(),
                conformalInterval(),
                errors,
                mean(squared, Forecasters.COUNT),
                mean(absolute, Forecasters.COUNT),
                IntStream.range(0, Forecasters.COUNT)
                        .mapToObj(i -> new ForecasterScore(
                                Forecasters.NAMES.get(i),
                                Forecasters.kind(i),
                                newest.forecasts()[i],
                                mean(squared, i),
                                mean(absolute, i)))
                        .toList());
    }

    /**
     * The half width of a conformal prediction interval around a forecast, which adapts to its observed coverage (Gibbs
     * and Candès, "Adaptive conformal inference under distribution shift", 2021). It is the quantile of the newest
     * {@value #WINDOW} absolute errors with rank ⌈(n + 1)(1 − α)⌉. After each value, α becomes α + γ(α* − err): α* is
     * {@value #MISSED}, γ is {@value #GAMMA}, and err is 1 if the value was outside its interval, else 0.
     *
     * <p>Where α is below 0 the method asks for an unbounded interval. This one is the largest error doubled for each γ
     * that α is below 0, which is finite and exceeds any bounded error soon. α is at most {@value #MAX_ALPHA}, so that
     * quiet values do not let it rise without limit.
     */
    static final class ConformalWidth {
        /** The share of values that may be outside. */
        static final double MISSED = .05;

        static final int WINDOW = 300;

        private static final double GAMMA = .005;
        private static final double MAX_ALPHA = .2;
        private static final int MIN = 20;
        private static final double MAX_DOUBLINGS = 60;

        private final double[] errors = new double[WINDOW];
        private final double[] sorted = new double[WINDOW];
        private long learned;
        private double alpha = MISSED;

        /** Returns the half width; NaN before the first {@value #MIN} errors. */
        double halfWidth() {
            int count = (int) Math.min(learned, WINDOW);
            if (count < MIN) {
                return Double.NaN;
            }
            int rank = (int) Math.ceil((count + 1) * (1 - Math.max(0, alpha)));
            double width = sorted[Math.min(rank, count) - 1];
            return alpha > 0 ? width : width * Math.pow(2, Math.min(-alpha / GAMMA, MAX_DOUBLINGS));
        }

        /**
         * Learns the error of a forecast.
         *
         * @param halfWidth the half width that this object returned when the forecast was made
         */
        void learn(double error, double halfWidth) {
            double magnitude = Math.abs(error);
            if (!Double.isNaN(halfWidth)) {
                alpha = Math.min(MAX_ALPHA, alpha + GAMMA * (MISSED - (magnitude > halfWidth ? 1 : 0)));
            }
            int count = (int) Math.min(learned, WINDOW);
            int oldest = (int) (learned++ % WINDOW);
            if (count == WINDOW) {
                int gap = Arrays.binarySearch(sorted, errors[oldest]);
                count--;
                System.arraycopy(sorted, gap + 1, sorted, gap, count - gap);
            }
            int found = Arrays.binarySearch(sorted, 0, count, magnitude);
            int at = found < 0 ? -found - 1 : found;
            System.arraycopy(sorted, at, sorted, at + 1, count - at);
            sorted[at] = magnitude;
            errors[oldest] = magnitude;
        }
    }
}

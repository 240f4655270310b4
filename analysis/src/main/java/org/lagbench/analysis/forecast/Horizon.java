package org.lagbench.analysis.forecast;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.lagbench.core.series.Domain;

/** The forecasts of all forecasters a fixed number of values ahead, their errors, and the selected forecast. */
final class Horizon {
    private static final double REACH = 2;

    private final int steps;
    private final Selection selection;
    private final Domain domain;
    private final ErrorScores scores = new ErrorScores();
    private final ConformalWidth conformal = new ConformalWidth();

    /** The forecasts of the next values, at most one for each step; the first is that of the next value. */
    private final Deque<Made> pending = new ArrayDeque<>();

    private Made newest;

    private int choice;
    private double squared;
    private double absolute;
    private long errors;
    private long mseIntervals;
    private long mseCaptured;
    private long conformalIntervals;
    private long conformalCaptured;

    Horizon(int steps, Selection selection, Domain domain) {
        this.steps = steps;
        this.selection = selection;
        this.domain = domain;
        double[] none = new double[Forecasters.COUNT];
        Arrays.fill(none, Double.NaN);
        newest = new Made(none, Double.NaN, Double.NaN, Double.NaN);
    }

    /** The forecasts of a value by all forecasters, the selected one, and the half widths of its intervals. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Made(double[] forecasts, double selected, double mseHalfWidth, double conformalHalfWidth) {}

    /** Scores the forecasts that were made for a value. */
    void score(double value) {
        Made made = pending.size() < steps ? null : pending.peek();
        if (made == null || Double.isNaN(made.selected())) {
            return;
        }
        double error = value - made.selected();
        if (!Double.isNaN(made.mseHalfWidth())) {
            mseIntervals++;
            mseCaptured += Math.abs(error) <= made.mseHalfWidth() ? 1 : 0;
        }
        if (!Double.isNaN(made.conformalHalfWidth())) {
            conformalIntervals++;
            conformalCaptured += Math.abs(error) <= made.conformalHalfWidth() ? 1 : 0;
        }
        squared += error * error;
        absolute += Math.abs(error);
        errors++;
        conformal.learn(error, made.conformalHalfWidth());
        scores.score(value, made.forecasts());
    }

    /** Makes the forecasts that the newest value allows. */
    void forecast(double[] primary, TrendForecaster[] further) {
        double[] forecasts = Arrays.copyOf(primary, Forecasters.COUNT);
        for (int i = 0; i < Forecasters.DERIVED; i++) {
            forecasts[Forecasters.PRIMARY + i] = primary[scores.selectedBy(i)];
        }
        for (int i = 0; i < further.length; i++) {
            forecasts[Forecasters.PRIMARY + Forecasters.DERIVED + i] = further[i].forecast(steps);
        }
        choice = selection.select(scores);
        newest = new Made(
                forecasts,
                forecasts[choice],
                errors == 0 ? Double.NaN : REACH * Math.sqrt(squared / errors),
                conformal.halfWidth());
        if (pending.size() == steps) {
            pending.remove();
        }
        pending.add(newest);
    }

    int choice() {
        return choice;
    }

    double selectedForecast() {
        return newest.selected();
    }

    double mseHalfWidth() {
        return newest.mseHalfWidth();
    }

    double conformalHalfWidth() {
        return newest.conformalHalfWidth();
    }

    CoveredInterval mseInterval() {
        return interval(mseHalfWidth(), mseIntervals, mseCaptured);
    }

    CoveredInterval conformalInterval() {
        return interval(conformalHalfWidth(), conformalIntervals, conformalCaptured);
    }

    private CoveredInterval interval(double halfWidth, long intervals, long captured) {
        return new CoveredInterval(
                domain.nearest(selectedForecast() - halfWidth),
                domain.nearest(selectedForecast() + halfWidth),
                intervals,
                captured);
    }

    double forecast(int forecaster) {
        return newest.forecasts()[forecaster];
    }

    /** Returns all figures at this horizon. */
    StepForecast figures() {
        List<ForecasterScore> all = Forecasters.indices()
                .mapToObj(i -> new ForecasterScore(
                        Forecasters.NAMES.get(i), Forecasters.kind(i), forecast(i), scores.mse(i), scores.mae(i)))
                .toList();
        return new StepForecast(
                steps,
                selectedForecast(),
                Forecasters.NAMES.get(choice),
                Forecasters.NAMES.get(primary(choice)),
                mseInterval(),
                conformalInterval(),
                errors,
                errors == 0 ? Double.NaN : squared / errors,
                errors == 0 ? Double.NaN : absolute / errors,
                all);
    }

    /** Returns the primary forecaster that a selected forecaster uses now. */
    private int primary(int forecaster) {
        return forecaster < Forecasters.PRIMARY ? forecaster : scores.selectedBy(forecaster - Forecasters.PRIMARY);
    }
}

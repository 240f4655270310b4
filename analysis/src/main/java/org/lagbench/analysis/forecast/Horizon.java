package org.lagbench.analysis.forecast;

import java.util.Arrays;
import java.util.List;

/** The forecasts of all forecasters a fixed number of values ahead, their errors, and the selected forecast. */
final class Horizon {
    private static final double REACH = 2;

    private final int steps;
    private final Selection selection;
    private final ErrorScores scores = new ErrorScores();
    private final ConformalWidth conformal = new ConformalWidth();

    /** A ring of {@code steps} rows; each has all forecasters' forecasts of one of the next values. */
    private final double[] forecasts;

    private final double[] selected;
    private final double[] mseHalfWidths;
    private final double[] conformalHalfWidths;

    /** The row of the next value. */
    private int place;

    private int choice;
    private double squared;
    private double absolute;
    private long errors;
    private long mseIntervals;
    private long mseCaptured;
    private long conformalIntervals;
    private long conformalCaptured;

    Horizon(int steps, Selection selection) {
        this.steps = steps;
        this.selection = selection;
        forecasts = new double[steps * Forecasters.COUNT];
        selected = new double[steps];
        mseHalfWidths = new double[steps];
        conformalHalfWidths = new double[steps];
        Arrays.fill(forecasts, Double.NaN);
        Arrays.fill(selected, Double.NaN);
        Arrays.fill(mseHalfWidths, Double.NaN);
        Arrays.fill(conformalHalfWidths, Double.NaN);
    }

    /** Scores the forecasts that were made for a value. */
    void score(double value) {
        if (Double.isNaN(selected[place])) {
            return;
        }
        double error = value - selected[place];
        double mseHalfWidth = mseHalfWidths[place];
        double conformalHalfWidth = conformalHalfWidths[place];
        if (!Double.isNaN(mseHalfWidth)) {
            mseIntervals++;
            mseCaptured += Math.abs(error) <= mseHalfWidth ? 1 : 0;
        }
        if (!Double.isNaN(conformalHalfWidth)) {
            conformalIntervals++;
            conformalCaptured += Math.abs(error) <= conformalHalfWidth ? 1 : 0;
        }
        squared += error * error;
        absolute += Math.abs(error);
        errors++;
        conformal.learn(error, conformalHalfWidth);
        scores.score(value, forecasts, place * Forecasters.COUNT);
    }

    /** Makes the forecasts that the newest value allows, and advances to the next row. */
    void forecast(double[] primary, TrendForecaster[] further) {
        int row = place * Forecasters.COUNT;
        System.arraycopy(primary, 0, forecasts, row, Forecasters.PRIMARY);
        for (int i = 0; i < Forecasters.DERIVED; i++) {
            forecasts[row + Forecasters.PRIMARY + i] = primary[scores.selectedBy(i)];
        }
        for (int i = 0; i < further.length; i++) {
            forecasts[row + Forecasters.PRIMARY + Forecasters.DERIVED + i] = further[i].forecast(steps);
        }
        choice = selection.select(scores);
        selected[place] = forecasts[row + choice];
        mseHalfWidths[place] = errors == 0 ? Double.NaN : REACH * Math.sqrt(squared / errors);
        conformalHalfWidths[place] = conformal.halfWidth();
        place = place + 1 == steps ? 0 : place + 1;
    }

    private int newest() {
        return (place == 0 ? steps : place) - 1;
    }

    int choice() {
        return choice;
    }

    double selectedForecast() {
        return selected[newest()];
    }

    double mseHalfWidth() {
        return mseHalfWidths[newest()];
    }

    double conformalHalfWidth() {
        return conformalHalfWidths[newest()];
    }

    double forecast(int forecaster) {
        return forecasts[newest() * Forecasters.COUNT + forecaster];
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
                new CapturedInterval(
                        selectedForecast() - mseHalfWidth(),
                        selectedForecast() + mseHalfWidth(),
                        mseIntervals,
                        mseCaptured),
                new CapturedInterval(
                        selectedForecast() - conformalHalfWidth(),
                        selectedForecast() + conformalHalfWidth(),
                        conformalIntervals,
                        conformalCaptured),
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

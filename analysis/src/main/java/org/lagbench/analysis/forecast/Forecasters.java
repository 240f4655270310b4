package org.lagbench.analysis.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterKind;

/** All forecasters with their indices: the primary ones, the derived ones, then further ones. */
final class Forecasters {
    static final int PRIMARY = PrimaryForecasters.COUNT;
    static final int DERIVED = 16;

    /** The index of the first forecaster that is not of the Network Weather Service. */
    static final int FURTHER = PRIMARY + DERIVED;

    /**
     * Lengths of history by which derived forecasters select; 0 is the whole history. For each length one selects by
     * MSE, and one by MAE.
     */
    static final int[] HISTORIES = {0, 1, 5, 10, 20, 30, 50, 100};

    static final List<String> NAMES = names();
    static final int COUNT = NAMES.size();

    private Forecasters() {}

    /** Returns new forecasters that are not of the Network Weather Service. */
    static TrendForecaster[] further() {
        return Stream.concat(DoubleStream.of(.1, .3, .5).mapToObj(DampedHolt::new), Stream.of(new LocalLevel()))
                .toArray(TrendForecaster[]::new);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(PrimaryForecasters.NAMES);
        for (int history : HISTORIES) {
            String last = history == 0 ? "" : " of the last " + history;
            names.add("least MSE" + last);
            names.add("least MAE" + last);
        }
        names.addAll(List.of("damped Holt .1", "damped Holt .3", "damped Holt .5", "local level (Kalman)"));
        return List.copyOf(names);
    }

    static ForecasterKind kind(int index) {
        return index < PRIMARY
                ? ForecasterKind.PRIMARY
                : index < FURTHER ? ForecasterKind.DERIVED : ForecasterKind.FURTHER;
    }

    /** A forecaster of the current level, restarted when the level of the series changes. */
    interface TrendForecaster {
        void learn(double value);

        /** Advances over a missing value. */
        void skip();

        /**
         * Restarts after a change of level.
         *
         * @param level mean of the values since the change
         * @param count number of these values
         */
        void restart(double level, int count);

        /** Returns the forecast of the n-th next value, from 1; NaN before the first value. */
        double forecast(int step);
    }
}

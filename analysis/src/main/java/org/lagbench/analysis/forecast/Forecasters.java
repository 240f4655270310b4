package org.lagbench.analysis.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** All forecasters with their indices: the primary ones, the derived ones, then further ones. */
final class Forecasters {
    static final int PRIMARY = PrimaryForecasters.COUNT;
    static final int DERIVED = 16;

    /**
     * Lengths of history by which derived forecasters select; 0 is the whole history. For each length one selects by
     * MSE, and one by MAE.
     */
    static final int[] HISTORIES = {0, 1, 5, 10, 20, 30, 50, 100};

    private static final double[] TREND_GAINS = {.1, .3, .5};

    static final int COUNT = PRIMARY + DERIVED + TREND_GAINS.length + 1;

    static final List<String> NAMES = names();

    private Forecasters() {}

    /** Returns new forecasters that are not of the Network Weather Service. */
    static TrendForecaster[] further() {
        List<TrendForecaster> further = new ArrayList<>();
        for (double gain : TREND_GAINS) {
            further.add(new DampedHolt(gain));
        }
        further.add(new LocalLevel());
        return further.toArray(TrendForecaster[]::new);
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
                : index < PRIMARY + DERIVED ? ForecasterKind.DERIVED : ForecasterKind.FURTHER;
    }

    static IntStream indices() {
        return IntStream.range(0, COUNT);
    }
}

package org.lagbench.analysis.forecast;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterKind;

/** All forecasters with their indices: the primary ones, then the derived ones. */
final class Forecasters {
    static final int PRIMARY = PrimaryForecasters.COUNT;
    static final int DERIVED = 16;

    /**
     * Lengths of history by which derived forecasters select; 0 is the whole history. For each length one selects by
     * MSE, and one by MAE.
     */
    static final int[] HISTORIES = {0, 1, 5, 10, 20, 30, 50, 100};

    static final List<String> NAMES = names();
    static final int COUNT = PRIMARY + DERIVED;

    private Forecasters() {}

    private static List<String> names() {
        List<String> names = new ArrayList<>(PrimaryForecasters.NAMES);
        for (int history : HISTORIES) {
            String last = history == 0 ? "" : " of the last " + history;
            names.add("least MSE" + last);
            names.add("least MAE" + last);
        }
        return List.copyOf(names);
    }

    static ForecasterKind kind(int index) {
        return index < PRIMARY ? ForecasterKind.PRIMARY : ForecasterKind.DERIVED;
    }
}

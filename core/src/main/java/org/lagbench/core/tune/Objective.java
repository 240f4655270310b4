package org.lagbench.core.tune;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What a tune minimises: one figure of each run, in ns. */
public enum Objective {
    /** The median of the transmit lag. */
    LAG_MEDIAN("lag-median", "median lag"),
    /** Its mean. */
    LAG_MEAN("lag-mean", "mean lag"),
    /** Its 95 % quantile. */
    LAG_Q95("lag-q95", "Q95 of the lag"),
    /** Its 99 % quantile. */
    LAG_Q99("lag-q99", "Q99 of the lag"),
    /** How long a receiver must hold packets back so that 1 % of them are late or lost. */
    PLAYOUT("playout", "playout delay for 1 % late");

    /** All of them, as part of a sentence. */
    public static final String ACCEPTED =
            Arrays.stream(values()).map(Objective::text).collect(Collectors.joining(" or "));

    private final String text;
    private final String title;

    Objective(String text, String title) {
        this.text = text;
        this.title = title;
    }

    /** The word in files. */
    public String text() {
        return text;
    }

    /** The name in tables. */
    public String title() {
        return title;
    }

    /**
     * The objective of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Objective named(String text) {
        return Arrays.stream(values())
                .filter(objective -> objective.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text + " is not " + ACCEPTED));
    }
}

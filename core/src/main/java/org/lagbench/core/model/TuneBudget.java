package org.lagbench.core.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limit after which an undecided tune ends.
 *
 * @param time from the start of the first run; null if the limit is a number of runs
 * @param runs the number of runs; 0 if the limit is a time
 */
public record TuneBudget(@Nullable Duration time, int runs) {
    public static final int MAXIMUM_RUNS = 100_000;

    public static final Duration MAXIMUM_TIME = Duration.ofDays(7);
}

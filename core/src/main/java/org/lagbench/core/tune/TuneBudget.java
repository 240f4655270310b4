package org.lagbench.core.tune;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * After what a tune ends although it is not decided.
 *
 * @param time that long after its first run began; null if it is counted in runs
 * @param runs so many runs; 0 if it is counted in time
 */
public record TuneBudget(@Nullable Duration time, int runs) {
    /** Most runs. */
    public static final int MAXIMUM_RUNS = 100_000;

    /** Longest time. */
    public static final Duration MAXIMUM_TIME = Duration.ofDays(7);
}

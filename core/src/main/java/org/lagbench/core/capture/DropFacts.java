package org.lagbench.core.capture;

import org.jspecify.annotations.Nullable;

/**
 * How a receiver found the drops in {@link DropsCapture}. Each is null if the run does not record them.
 *
 * @param dropTimes {@link #OBSERVER}, or why there are none
 * @param dropTimesLost the number of drops that are not in the file
 * @param dropReasons the kernel's names of the reasons in the file, see {@link DropsCapture#formatReasons}
 */
public record DropFacts(@Nullable String dropTimes, @Nullable Long dropTimesLost, @Nullable String dropReasons) {
    /** The source of the file. */
    public static final String OBSERVER = "the observer in the kernel";

    /** Returns whether drops were recorded. */
    public boolean areRecorded() {
        return OBSERVER.equals(dropTimes);
    }
}

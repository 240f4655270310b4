package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * How a receiver found the drops in its file of drops. Each is null if the run does not record them.
 *
 * @param dropTimes {@link #OBSERVER}, or why there are none
 * @param dropTimesLost the number of drops that are not in the file
 * @param dropReasons the kernel's names of the reasons in the file, as text of one line
 */
public record DropFacts(@Nullable String dropTimes, @Nullable Long dropTimesLost, @Nullable String dropReasons)
        implements SideFacts {
    /** The source of the file. */
    public static final String OBSERVER = "the observer in the kernel";

    /** Returns whether drops were recorded. */
    public boolean areRecorded() {
        return OBSERVER.equals(dropTimes);
    }
}

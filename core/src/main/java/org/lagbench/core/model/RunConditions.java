package org.lagbench.core.model;

import java.time.Duration;
import java.util.Map;

/**
 * What all runs of an experiment have in common besides their traffic, each value within its range. A further parameter
 * of a run is a component here and an entry of {@link #SECTION}; files, {@code run.json} and requests have it then.
 *
 * @param drain how long the receiver waits for late packets after the last one was sent
 * @param stallTimeout the time without progress after which a run fails
 */
public record RunConditions(Duration drain, Duration stallTimeout) {
    /** The parameters, in the order of the components. */
    public static final Section<RunConditions> SECTION =
            Section.of(RunConditions.class, RunParameters.DRAIN, RunParameters.STALL_TIMEOUT);

    /** The conditions of an experiment or program that names none. */
    public static final RunConditions DEFAULT = SECTION.createDefault();

    public RunConditions {
        RunParameters.DRAIN.check(drain);
        RunParameters.STALL_TIMEOUT.check(stallTimeout);
    }

    /** Returns the conditions with these time limits, and the default of each other parameter. */
    public static RunConditions of(Duration drain, Duration stallTimeout) {
        return SECTION.createDefault(Map.of(RunParameters.DRAIN, drain, RunParameters.STALL_TIMEOUT, stallTimeout));
    }
}

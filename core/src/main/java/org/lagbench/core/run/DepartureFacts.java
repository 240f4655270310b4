package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * How a sender found the departures in {@link DeparturesCapture}. Each is null if the run does not record them.
 *
 * @param departureStamps {@link #OBSERVER}, or why there are none
 * @param departuresLost the number of departures that could not be recorded
 * @param packetsWithoutDepartureStamp the number of packets that are not in the file
 */
public record DepartureFacts(
        @Nullable String departureStamps, @Nullable Long departuresLost, @Nullable Long packetsWithoutDepartureStamp)
        implements SideFacts {
    /** The source of the file. */
    public static final String OBSERVER = "the observer in the kernel";
}

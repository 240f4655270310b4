package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * How a side of a run recorded what may delay its packets. Each is null if the run observed no such events.
 *
 * @param jvmEvents why the JVM's events are missing; null if they are not
 * @param waits how the waits of the packet thread were recorded
 * @param waitsLost waits that the record of the scheduler had no room for; null without such a record
 * @param causesNotSeen why a part of the run was not observed; null if all was
 * @param causeEvents events in the file
 * @param causeEventsForgotten events that had no room in memory
 */
public record CauseFacts(
        @Nullable String jvmEvents,
        @Nullable String waits,
        @Nullable Long waitsLost,
        @Nullable String causesNotSeen,
        @Nullable Long causeEvents,
        @Nullable Long causeEventsForgotten)
        implements SideFacts {
    /** The value of {@link #waits} with which also the programs are known that ran instead. */
    public static final String OBSERVER = "the observer in the kernel";

    /** The value of {@link #jvmEvents} of a run that did not observe them. */
    public static final String NOT_OBSERVED = "none: the run did not observe them";

    /** The value of {@link #jvmEvents} if none can be missing. */
    public static final String WITHOUT_JVM = "none: a program without a JVM moves the packets";

    /** Returns whether all sources of a side recorded its events. Between some reads, waits may be lost. */
    public boolean isComplete() {
        return OBSERVER.equals(waits)
                && (jvmEvents == null || jvmEvents.equals(WITHOUT_JVM))
                && causesNotSeen == null
                && causeEventsForgotten != null
                && causeEventsForgotten == 0;
    }
}

package org.lagbench.core.cause;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;

/** An event of the Flight Recorder with the CLOCK_REALTIME of its beginning. */
@Name(ClockAnchor.NAME)
@Label("Clock anchor")
@StackTrace(false)
final class ClockAnchor extends Event {
    static final String NAME = "org.lagbench.ClockAnchor";

    /** The number of tries, enough that one is not interrupted. */
    private static final int TRIES = 8;

    /** The middle of the two clock readings around the event's beginning, in ns. */
    long realtimeNs;

    /** Half the time between the readings, in ns: the largest error of {@link #realtimeNs}. */
    long errorNs;

    /** Records the most exact of several anchors. */
    static void commitBest() {
        @Nullable ClockAnchor best = null;
        for (int i = 0; i < TRIES; i++) {
            ClockAnchor anchor = new ClockAnchor();
            long beforeNs = RealtimeClock.nowNs();
            anchor.begin();
            long afterNs = RealtimeClock.nowNs();
            anchor.errorNs = (afterNs - beforeNs + 1) / 2;
            anchor.realtimeNs = beforeNs + (afterNs - beforeNs) / 2;
            best = best == null || anchor.errorNs < best.errorNs ? anchor : best;
        }
        if (best != null) {
            best.commit();
        }
    }
}

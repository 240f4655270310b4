package org.lagbench.core.cause;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.time.RealtimeClock;

/** An event of the Flight Recorder that carries what CLOCK_REALTIME read when it began. */
@Name(ClockAnchor.NAME)
@Label("Clock anchor")
@StackTrace(false)
final class ClockAnchor extends Event {
    static final String NAME = "org.lagbench.ClockAnchor";

    /** Enough for one that no interrupt falls into. */
    private static final int TRIES = 8;

    /** The middle of the readings around the event's begin, in ns. */
    long realtimeNs;

    /** Half the time between them, in ns: no farther is the event's begin from {@link #realtimeNs}. */
    long errorNs;

    /** Records the closest of several. */
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

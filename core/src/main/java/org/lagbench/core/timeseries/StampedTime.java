package org.lagbench.core.timeseries;

import org.lagbench.core.clock.RealtimeClock;

/** The time since a stamp of this host's clock, unaffected by later steps of the clock. Thread-safe. */
public final class StampedTime {
    private final long beganNs;

    /** Creates the time since a stamp, CLOCK_REALTIME in ns. */
    public StampedTime(long stampNs) {
        this.beganNs = System.nanoTime() - (RealtimeClock.nowNs() - stampNs);
    }

    /** Returns the time since the stamp, in ns. */
    public long elapsedNs() {
        return System.nanoTime() - beganNs;
    }
}

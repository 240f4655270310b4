package org.lagbench.core.pace;

import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.time.RealtimeClock;

/** The two clocks that a schedule stands on, and sleep. */
interface Clocks {
    /** The machine's own. */
    Clocks SYSTEM = new Clocks() {
        @Override
        public long monotonicNs() {
            return System.nanoTime();
        }

        @Override
        public long realtimeNs() {
            return RealtimeClock.nowNs();
        }

        @Override
        public void parkNs(long nanoseconds) {
            LockSupport.parkNanos(nanoseconds);
        }
    };

    /** A clock in ns that is never set, from an arbitrary zero. */
    long monotonicNs();

    /** CLOCK_REALTIME in ns since the epoch. */
    long realtimeNs();

    /** Sleeps about so many ns of the monotonic clock, or less if the thread is interrupted or unparked. */
    void parkNs(long nanoseconds);
}

package org.lagbench.runner.monitor;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.clock.RealtimeClock;

/** The clock of a schedule. */
public interface WallClock {
    /** Returns the time in ns since the epoch. */
    long nowNs();

    /** Waits for a time in ns; returns false if the monitor ends. */
    boolean await(long lengthNs);

    /** Ends every wait, now and later. For any thread. */
    void stop();

    /** Returns CLOCK_REALTIME of this host. */
    static WallClock ofThisHost() {
        return new WallClock() {
            private final CountDownLatch stopped = new CountDownLatch(1);

            @Override
            public long nowNs() {
                return RealtimeClock.nowNs();
            }

            @Override
            public boolean await(long lengthNs) {
                try {
                    return !stopped.await(lengthNs, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }

            @Override
            public void stop() {
                stopped.countDown();
            }
        };
    }
}

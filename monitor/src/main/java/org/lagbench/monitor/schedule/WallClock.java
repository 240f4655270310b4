package org.lagbench.monitor.schedule;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.time.RealtimeClock;

/** The clock of a schedule. */
public interface WallClock {
    /** Returns the time in ns since the epoch. */
    long nowNs();

    /** Waits until a time; returns at once if it is over. Returns false if the monitor ends. */
    boolean await(long untilNs);

    /** Ends every wait, now and later. For any thread. */
    void stop();

    /** Returns CLOCK_REALTIME of this host. */
    static WallClock ofThisHost() {
        return new WallClock() {
            /** The clock may be set, and the host may be suspended: then a wait is shorter or longer than computed. */
            private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

            private final CountDownLatch stopped = new CountDownLatch(1);

            @Override
            public long nowNs() {
                return RealtimeClock.nowNs();
            }

            @Override
            public boolean await(long untilNs) {
                try {
                    boolean isStopped = stopped.getCount() == 0;
                    for (long leftNs = untilNs - nowNs(); leftNs > 0 && !isStopped; leftNs = untilNs - nowNs()) {
                        isStopped = stopped.await(Math.min(leftNs, LONGEST_WAIT_NS), TimeUnit.NANOSECONDS);
                    }
                    return !isStopped;
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

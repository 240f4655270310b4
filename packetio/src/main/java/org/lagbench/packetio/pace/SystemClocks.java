package org.lagbench.packetio.pace;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.time.RealtimeClock;

/** The machine's own. */
final class SystemClocks implements Clocks {
    /**
     * Up to this long a sleep need not be ended by another thread: longer than the time between two frames of a video.
     */
    static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ShortSleep sleep;

    SystemClocks(ShortSleep sleep) {
        this.sleep = sleep;
    }

    @Override
    public long monotonicNs() {
        return System.nanoTime();
    }

    @Override
    public long realtimeNs() {
        return RealtimeClock.nowNs();
    }

    /** Whoever is to be waited for longer is parked first, until {@value #SHORT_NS} ns are left. */
    @Override
    public void parkNs(long nanoseconds) {
        if (nanoseconds > SHORT_NS) {
            LockSupport.parkNanos(nanoseconds - SHORT_NS);
        } else {
            sleep.sleepNs(nanoseconds);
        }
    }

    @Override
    public String sleepCall() {
        return sleep.call();
    }
}

package org.lagbench.packetio.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.clock.RealtimeClock;

/** The clocks of this machine. */
final class SystemClocks implements Clocks {
    /** The longest sleep that no other thread can end. An interval between video frames at 60 fps is shorter. */
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

    /** Parks the thread, which can be ended, until {@value #SHORT_NS} ns are left. */
    @Override
    public void parkNs(long nanoseconds) {
        if (nanoseconds > SHORT_NS) {
            LockSupport.parkNanos(nanoseconds - SHORT_NS);
        } else {
            sleep.sleepNs().accept(nanoseconds);
        }
    }

    @Override
    public String sleepCall() {
        return sleep.call();
    }
}

package org.lagbench.packetio.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.Pacer.Clocks;
import org.lagbench.packetio.linux.LinuxSleep;

/**
 * The clocks of this machine, and a sleep that is too short to be worth ending early. Java's own sleeps can be ended by
 * another thread, so each acquires a lock and changes the thread's state in the JVM.
 *
 * @param sleepCall the name of the call that sleeps a short time
 * @param shortSleep sleeps 1 to 999,999,999 ns of the monotonic clock, seldom less. Thread-safe; allocates nothing
 */
record SystemClocks(String sleepCall, LongConsumer shortSleep) implements Clocks {
    /** The longest sleep that no other thread can end. An interval between video frames at 60 fps is shorter. */
    static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The clocks with Java's own sleep, which is always available. */
    static final SystemClocks PARKING = new SystemClocks("parkNanos", LockSupport::parkNanos);

    /** Returns the clocks with the operating system's sleep if available, else {@link #PARKING}, which costs more. */
    static SystemClocks find() {
        try {
            LinuxSleep.load();
            return new SystemClocks("clock_nanosleep", LinuxSleep::sleepNs);
        } catch (LagbenchException e) {
            return PARKING;
        }
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
            shortSleep.accept(nanoseconds);
        }
    }
}

package org.lagbench.packetio.pace;

import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.failure.LagbenchException;

/**
 * Sleeps for a time that is too short for anybody to want its end before. Java's own sleeps can be ended by another
 * thread, for which they take a lock and tell the JVM of it, at each of them. Thread-safe; allocates nothing.
 */
public interface ShortSleep {
    /** Java's own, which is there without any other: {@link LockSupport#parkNanos}. */
    ShortSleep PARKING = new ShortSleep() {
        @Override
        public void check() {
            // it is always to be had
        }

        @Override
        public void sleepNs(long nanoseconds) {
            LockSupport.parkNanos(nanoseconds);
        }

        @Override
        public String call() {
            return "parkNanos";
        }
    };

    /**
     * Makes sure that it is to be had; to be called before all else.
     *
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    void check() throws LagbenchException;

    /**
     * Sleeps so many ns of the monotonic clock, and as much longer as the kernel needs; seldom less.
     *
     * @param nanoseconds 1 to 999,999,999
     */
    void sleepNs(long nanoseconds);

    /** The call by which it sleeps, for {@code run.json}. */
    String call();

    /** The operating system's own on the class path, if there is one that works here; else {@link #PARKING}. */
    static ShortSleep find() {
        ShortSleep sleep = ServiceLoader.load(ShortSleep.class).findFirst().orElse(PARKING);
        try {
            sleep.check();
            return sleep;
        } catch (LagbenchException e) {
            return PARKING; // which does the same at a higher cost; run.json has its name
        }
    }
}

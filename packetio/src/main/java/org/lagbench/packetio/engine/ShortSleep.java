package org.lagbench.packetio.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSleep;

/**
 * A sleep that is too short to be worth ending early. Java's own sleeps can be ended by another thread, so each
 * acquires a lock and changes the thread's state in the JVM.
 *
 * @param call the name of the call, for {@code run.json}
 * @param sleepNs sleeps 1 to 999,999,999 ns of the monotonic clock, seldom less. Thread-safe; allocates nothing
 */
record ShortSleep(String call, LongConsumer sleepNs) {
    /** Java's own sleep, which is always available. */
    static final ShortSleep PARKING = new ShortSleep("parkNanos", LockSupport::parkNanos);

    /** Returns the sleep of the operating system if available, else {@link #PARKING}, which costs more CPU time. */
    static ShortSleep find() {
        try {
            LinuxSleep.load();
            return new ShortSleep("clock_nanosleep", LinuxSleep::sleepNs);
        } catch (LagbenchException e) {
            return PARKING;
        }
    }
}

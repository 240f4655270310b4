package org.lagbench.packetio.linux;

import org.lagbench.core.failure.LagbenchException;

/** Sleeps by one system call, clock_nanosleep(2). Thread-safe; allocates nothing. */
public final class LinuxSleep {
    private LinuxSleep() {}

    /**
     * Loads the native library; to be called first.
     *
     * @throws LagbenchException if it is missing or does not load
     */
    public static void load() throws LagbenchException {
        LinuxSockets.load();
    }

    /**
     * Sleeps on CLOCK_MONOTONIC until the time has passed or a signal arrives.
     *
     * @param nanoseconds less than a second
     */
    public static void sleepNs(long nanoseconds) {
        int error = sleep(nanoseconds);
        if (error < 0) {
            throw new IllegalArgumentException(
                    "clock_nanosleep of " + nanoseconds + " ns: " + NativeSocket.reason(error));
        }
    }

    /** Returns 0 or −errno. In liblagbenchsocket.so. */
    private static native int sleep(long nanoseconds);
}

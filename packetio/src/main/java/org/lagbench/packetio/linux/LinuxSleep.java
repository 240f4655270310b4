package org.lagbench.packetio.linux;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.pace.ShortSleep;

/** Sleeps by the system call alone. */
public final class LinuxSleep implements ShortSleep {
    @Override
    public void check() throws LagbenchException {
        LinuxSockets.load();
    }

    @Override
    public void sleepNs(long nanoseconds) {
        int error = sleep(nanoseconds);
        if (error < 0) {
            throw new IllegalArgumentException("clock_nanosleep of " + nanoseconds + " ns: " + Socket.reason(error));
        }
    }

    @Override
    public String call() {
        return "clock_nanosleep";
    }

    /**
     * Sleeps on CLOCK_MONOTONIC, less than a second, or until a signal comes. In liblagbenchsocket.so.
     *
     * @return 0 or −errno
     */
    private static native int sleep(long nanoseconds);
}

package org.lagbench.packetio.pace;

/** The two clocks that a schedule stands on, and sleep. */
interface Clocks {
    /** A clock in ns that is never set, from an arbitrary zero. */
    long monotonicNs();

    /** CLOCK_REALTIME in ns since the epoch. */
    long realtimeNs();

    /**
     * Sleeps about so many ns of the monotonic clock, or less if the thread is interrupted or unparked, which ends a
     * sleep within some 20 ms.
     */
    void parkNs(long nanoseconds);

    /** The call by which it sleeps, for {@code run.json}. */
    String sleepCall();
}

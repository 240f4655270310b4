package org.lagbench.packetio.engine;

/** The two clocks of a schedule, and the sleep. */
interface Clocks {
    /** Returns a clock that nobody sets, in ns from an arbitrary zero. */
    long monotonicNs();

    /** Returns CLOCK_REALTIME in ns since the epoch. */
    long realtimeNs();

    /**
     * Sleeps for about this many ns of the monotonic clock. Interrupting or unparking the thread ends a sleep within 20
     * ms.
     */
    void parkNs(long nanoseconds);

    /** Returns the name of the call that sleeps, for {@code run.json}. */
    String sleepCall();
}

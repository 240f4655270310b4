package org.lagbench.core.cause;

import java.util.function.LongSupplier;

/** A counter of the events of one cause, without their times. Used by one thread. */
public final class EventCounter {
    /** Twice the calls after which a method is compiled at the highest tier with the programs' options (5,000 / 10). */
    private static final int WARM_UP_CALLS = 1_000;

    private final Cause cause;
    private final LongSupplier count;
    private long before;

    /**
     * A counter.
     *
     * @param cause the cause of the events
     * @param count called some hundred times a second by a separate thread; should allocate little; −1 if unknown
     */
    public EventCounter(Cause cause, LongSupplier count) {
        this.cause = cause;
        this.count = count;
    }

    /** Reads the count until the call is due for compilation at the highest tier. */
    void warmUp() {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            start();
        }
    }

    Cause cause() {
        return cause;
    }

    void start() {
        before = count.getAsLong();
    }

    boolean hasGrown() {
        long now = count.getAsLong();
        boolean grown = now > before;
        before = now;
        return grown;
    }
}

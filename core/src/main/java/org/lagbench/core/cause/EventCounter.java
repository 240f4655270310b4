package org.lagbench.core.cause;

import java.util.function.LongSupplier;

/** A count that grows with each event of one cause, without telling when. One thread looks at it. */
public final class EventCounter {
    /** Twice the calls after which the programs' options have a method of theirs compiled for good (5,000 / 10). */
    private static final int WARM_UP_CALLS = 1_000;

    private final Cause cause;
    private final LongSupplier count;
    private long before;

    /**
     * A counter.
     *
     * @param cause what it counts
     * @param count called some hundred times a second by a thread of its own; should allocate little; −1 where not
     *     known
     */
    public EventCounter(Cause cause, LongSupplier count) {
        this.cause = cause;
        this.count = count;
    }

    /** Asks for the count until the call is due to be compiled for good. */
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

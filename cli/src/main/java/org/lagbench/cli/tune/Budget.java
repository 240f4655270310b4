package org.lagbench.cli.tune;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.lagbench.core.tune.TuneBudget;

/** How much of a budget is left. Counted anew when a tune is resumed. */
final class Budget {
    private static final double FIRST_RUN_S = 4;
    private static final double NS_PER_S = 1e9;

    private final TuneBudget whole;
    private final LongSupplier clockNs;
    private final long beganNs;
    private int made;

    /** Begins now; the clock is {@link System#nanoTime} but for tests. */
    Budget(TuneBudget whole, LongSupplier clockNs) {
        this.whole = whole;
        this.clockNs = clockNs;
        this.beganNs = clockNs.getAsLong();
    }

    void runMade() {
        made++;
    }

    /** How many runs it may still take, if they take as long as those so far. */
    long runsLeft() {
        Duration time = whole.time();
        return time == null
                ? Math.max(0, whole.runs() - made)
                : (long) Math.max(0, (time.toNanos() / NS_PER_S - elapsedS()) / runS());
    }

    /** Whether half of it is used up. */
    boolean isHalfUsed() {
        return 2 * runsLeft() <= runs();
    }

    /** How many it may take in all. */
    long runs() {
        return made + runsLeft();
    }

    /** How long it may still take. */
    Duration timeLeft() {
        Duration time = whole.time();
        double seconds = time == null ? runsLeft() * runS() : time.toNanos() / NS_PER_S - elapsedS();
        return Duration.ofMillis((long) (Math.max(0, seconds) * 1_000));
    }

    /** How long a run takes. */
    double runS() {
        return made == 0 ? FIRST_RUN_S : elapsedS() / made;
    }

    private double elapsedS() {
        return (clockNs.getAsLong() - beganNs) / NS_PER_S;
    }
}

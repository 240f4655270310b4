package org.lagbench.runner.tune;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.lagbench.core.model.TuneBudget;
import org.lagbench.core.text.Units;

/** The remaining budget of a tune. A resumed tune starts with the whole budget again. */
final class Budget {
    private static final double FIRST_RUN_S = 4;

    private final TuneBudget whole;
    private final LongSupplier clockNs;
    private final long beganNs;
    private int made;

    /** Starts now; {@code clockNs} is {@link System#nanoTime}, except in tests. */
    Budget(TuneBudget whole, LongSupplier clockNs) {
        this.whole = whole;
        this.clockNs = clockNs;
        this.beganNs = clockNs.getAsLong();
    }

    void runMade() {
        made++;
    }

    /** Returns how many more runs the budget allows, if each takes as long as the mean so far. */
    long runsLeft() {
        Duration time = whole.time();
        return time == null
                ? Math.max(0, whole.runs() - made)
                : (long) Math.max(0, (time.toNanos() / Units.NS_PER_S - elapsedS()) / runS());
    }

    /** Returns whether at least half of the budget is used up. */
    boolean isHalfUsed() {
        return 2 * runsLeft() <= runs();
    }

    /** Returns how many runs the budget allows in total. */
    long runs() {
        return made + runsLeft();
    }

    /** Returns how much time of the budget is left. */
    Duration timeLeft() {
        Duration time = whole.time();
        double seconds = time == null ? runsLeft() * runS() : time.toNanos() / Units.NS_PER_S - elapsedS();
        return Duration.ofMillis((long) (Math.max(0, seconds) * 1_000));
    }

    /** Returns the mean duration of a run. */
    double runS() {
        return made == 0 ? FIRST_RUN_S : elapsedS() / made;
    }

    private double elapsedS() {
        return (clockNs.getAsLong() - beganNs) / Units.NS_PER_S;
    }
}

package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.text.Units;

/** The remaining budget of a tuning run. A resumed one starts with the whole budget again. */
final class TuneBudget {
    /** Longer than any run: a limit where the budget is a number of runs. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Tuning.TuneBudget whole;
    private final double firstRunS;
    private final LongSupplier clockNs;
    private final long beganNs;
    private int made;

    /**
     * Begins to count time.
     *
     * @param firstRunS how long the first run is expected to take
     * @param clockNs {@link System#nanoTime}, except in tests
     */
    TuneBudget(Tuning.TuneBudget whole, double firstRunS, LongSupplier clockNs) {
        this.whole = whole;
        this.firstRunS = firstRunS;
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

    /** Returns whether its time has passed. */
    boolean isOver() {
        return whole.time() != null && timeLeft().isZero();
    }

    /** Returns how long the next run may take: until one run's usual time after the end of the budget. */
    Duration limit() {
        return whole.time() == null ? UNLIMITED : timeLeft().plusMillis((long) (runS() * 1_000));
    }

    /** Returns the mean duration of a run. */
    double runS() {
        return made == 0 ? firstRunS : elapsedS() / made;
    }

    private double elapsedS() {
        return (clockNs.getAsLong() - beganNs) / Units.NS_PER_S;
    }
}

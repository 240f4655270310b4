package org.lagbench.runner.sweep;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.text.Units;

/**
 * The budget of a tuning run, of which runs have spent a part.
 *
 * @param firstRunS how long the first run is expected to take, in seconds
 * @param made how many runs were made
 * @param spent how much time they have taken
 */
record TuneBudget(Tuning.TuneBudget whole, double firstRunS, int made, Duration spent) {
    /** Returns the budget after another run that has taken this time. */
    TuneBudget after(Duration taken) {
        return new TuneBudget(whole, firstRunS, made + 1, spent.plus(taken));
    }

    /** Returns how many more runs the budget allows, if each takes as long as the mean so far. */
    long runsLeft() {
        return whole.time() == null
                ? Math.max(0, whole.runs() - made)
                : (long) (timeLeft().toNanos() / Units.NS_PER_S / runS());
    }

    /** Returns how many runs the budget allows in total. */
    long runs() {
        return made + runsLeft();
    }

    /** Returns how much time of the budget is left. */
    Duration timeLeft() {
        Duration time = whole.time();
        Duration left = time == null ? Duration.ofMillis((long) (runsLeft() * runS() * 1_000)) : time.minus(spent);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns how long the next run may take: until one run's usual time after the end of the budget; null for any. */
    @Nullable
    Duration limit() {
        return whole.time() == null ? null : timeLeft().plusMillis((long) (runS() * 1_000));
    }

    /** Returns the mean duration of a run, in seconds. */
    double runS() {
        return made == 0 ? firstRunS : spent.toNanos() / Units.NS_PER_S / made;
    }
}

package org.lagbench.analysis.statistics;

/** Finds where a condition begins to hold, by halving the range. */
public final class Bisection {
    private Bisection() {}

    /**
     * A condition that holds for all numbers from some number on.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        /** Returns whether the condition holds for a number. */
        boolean holds(long number) throws E;
    }

    /** Returns the first number from {@code from} on for which the condition holds; {@code until} if none is less. */
    public static <E extends Exception> long first(long from, long until, Condition<E> condition) throws E {
        long low = from;
        long high = until;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (condition.holds(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}

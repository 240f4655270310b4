package org.lagbench.analysis.series;

import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** Differences of stamps that follow each other. */
final class Delays {
    private Delays() {}

    /** Where the stamps are read. */
    @FunctionalInterface
    interface Stamps {
        /** Reads so many from the first one on. */
        void read(long first, long[] stamps, int count) throws LagbenchException;
    }

    /**
     * Each stamp less the one before it, from one place to another; the first of all has none before it.
     *
     * @param values room for a block of stamps
     */
    static void forEach(Stamps stamps, long from, long until, long[] values, BlockConsumer consumer)
            throws LagbenchException {
        for (long before = Math.max(0, from - 1); before < until - 1; before += values.length - 1) {
            int count = (int) Math.min(values.length, until - before);
            stamps.read(before, values, count);
            for (int i = 0; i < count - 1; i++) {
                values[i] = values[i + 1] - values[i];
            }
            consumer.accept(values, count - 1);
        }
    }
}

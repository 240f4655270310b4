package org.lagbench.analysis.statistics;

/** Takes values in blocks, since a call a value costs more than most of what is done with it. */
@FunctionalInterface
public interface BlockConsumer {
    /**
     * Takes some values.
     *
     * @param values those from 0 to {@code count} − 1; filled anew after the call
     */
    void accept(long[] values, int count);
}

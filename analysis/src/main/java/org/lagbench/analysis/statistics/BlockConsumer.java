package org.lagbench.analysis.statistics;

/** Accepts values in blocks, because a call per value costs more than most of the work on it. */
@FunctionalInterface
public interface BlockConsumer {
    /**
     * Accepts a block.
     *
     * @param values the block in its first {@code count} elements; overwritten after the call
     */
    void accept(long[] values, int count);
}

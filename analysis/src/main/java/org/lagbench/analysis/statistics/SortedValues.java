package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/** Values by their rank, exactly, without sorting or keeping them: 128 KiB a rank asked for at once. */
public final class SortedValues {
    private final LongValues values;
    private final long n;
    private final long minimum;
    private final long maximum;

    private SortedValues(LongValues values, Moments moments) {
        this.values = values;
        this.n = moments.n();
        this.minimum = moments.minimum();
        this.maximum = moments.maximum();
    }

    /**
     * Goes through the values once.
     *
     * @throws LagbenchException if they cannot be read
     */
    public static SortedValues of(LongValues values) throws LagbenchException {
        Moments moments = new Moments();
        values.forEach(moments);
        return new SortedValues(values, moments);
    }

    /** How many there are. */
    public long n() {
        return n;
    }

    /**
     * The values that would stand at these indices if all were sorted, in at most five passes.
     *
     * @param ranks indices from 0, less than {@link #n()}, in any order
     * @throws LagbenchException if the values cannot be read
     */
    public long[] at(long... ranks) throws LagbenchException {
        return ranks.length == 0 ? ranks : OrderStatistics.select(values, minimum, maximum, ranks);
    }
}

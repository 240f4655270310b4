package org.lagbench.analysis.series;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.core.failure.LagbenchException;

/**
 * One kind of duration that a run yields many of. A new one is a class and its line in {@link AllSeries}: statistics
 * and files then have it too.
 */
public interface Series {
    /** The name in files, to which the figure and its unit are appended: "lag" for {@code lagMedianUs}. */
    String name();

    /** The name in tables. */
    String title();

    /** Whether it is only of runs with a schedule. */
    default boolean needsSchedule() {
        return false;
    }

    /** From how many places of a run the values come: packets sent, or arrivals. */
    long places(JoinedRun run);

    /**
     * Hands the values in ns from some of the places to the consumer, in their order.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException;

    /**
     * Hands every value in ns to the consumer.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    default void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        forEach(run, 0, places(run), (values, count) -> {
            for (int i = 0; i < count; i++) {
                consumer.accept(values[i]);
            }
        });
    }

    /** The values of runs one after the other, to be read by several threads. */
    default LongBlocks pooled(List<JoinedRun> runs) {
        return new PooledBlocks(this, runs);
    }
}

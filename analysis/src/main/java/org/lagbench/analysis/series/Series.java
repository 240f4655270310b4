package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * One kind of duration that a run yields many of. A new one is a class and its line in {@link AllSeries}: statistics and
 * files then have it too.
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

    /**
     * Hands every value in ns to the consumer.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException;
}

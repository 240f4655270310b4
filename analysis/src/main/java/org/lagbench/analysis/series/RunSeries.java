package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** The values of a series in a range of a run. */
interface RunSeries {
    /** Returns the number of packets or arrivals that the values come from. */
    long items(JoinedRun run);

    /** Passes the values in ns of a range of {@link #items} to the consumer. */
    void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException;
}

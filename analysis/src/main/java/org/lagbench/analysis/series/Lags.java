package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** Lags of the packets that came, their first copies, in the order of arrival. */
final class Lags {
    private Lags() {}

    /**
     * Received − sent, from one arrival to another.
     *
     * @param scheduled received − scheduled instead
     */
    static void forEach(JoinedRun run, boolean scheduled, long from, long until, BlockConsumer consumer)
            throws LagbenchException {
        long[] lags = run.room();
        for (long first = from; first < until; first += JoinedRun.BLOCK) {
            int count = (int) Math.min(JoinedRun.BLOCK, until - first);
            consumer.accept(lags, run.readLagsNs(first, scheduled, lags, count));
        }
    }
}

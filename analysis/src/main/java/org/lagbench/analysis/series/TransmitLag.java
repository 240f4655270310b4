package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Transmit lag, the one-way delay of RFC 7679: received − sent of each packet that came, its first copy, in the order
 * of arrival. Lost packets have none; they are counted beside.
 */
final class TransmitLag implements Series {
    @Override
    public String name() {
        return "lag";
    }

    @Override
    public String title() {
        return "Transmit lag";
    }

    @Override
    public long places(JoinedRun run) {
        return run.received();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        Lags.forEach(run, false, from, until, consumer);
    }
}

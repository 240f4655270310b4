package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Inter-packet delay at the receiver: the difference of the stamps of packets that arrived one after the other,
 * whatever their sequence numbers, copies included.
 */
final class ReceiveDelay implements Series {
    @Override
    public String name() {
        return "receiveDelay";
    }

    @Override
    public String title() {
        return "Inter-packet delay, received";
    }

    @Override
    public long places(JoinedRun run) {
        return run.received();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        Delays.forEach(run::readReceivedNs, from, until, run.room(), consumer);
    }
}

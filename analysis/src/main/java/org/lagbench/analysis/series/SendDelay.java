package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** Inter-packet delay at the sender: the difference of the stamps of packets sent one after the other. */
final class SendDelay implements Series {
    @Override
    public String name() {
        return "sendDelay";
    }

    @Override
    public String title() {
        return "Inter-packet delay, sent";
    }

    @Override
    public long places(JoinedRun run) {
        return run.sent();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        Delays.forEach(run::readSentNs, from, until, run.room(), consumer);
    }
}

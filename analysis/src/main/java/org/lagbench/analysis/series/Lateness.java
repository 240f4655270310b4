package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** Sent − scheduled of each packet sent: the error of the pacer, and of a network that held the sender up. */
final class Lateness implements Series {
    @Override
    public String name() {
        return "lateness";
    }

    @Override
    public String title() {
        return "Sender lateness";
    }

    @Override
    public boolean needsSchedule() {
        return true;
    }

    @Override
    public long places(JoinedRun run) {
        return run.sent();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        long[] lateness = run.room();
        for (long first = from; first < until; first += JoinedRun.BLOCK) {
            int count = (int) Math.min(JoinedRun.BLOCK, until - first);
            run.readLatenessNs(first, lateness, count);
            consumer.accept(lateness, count);
        }
    }
}

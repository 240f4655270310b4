package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
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
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        for (long i = 0; i < run.sent(); i++) {
            consumer.accept(run.sentNs(i) - run.scheduledNs(i));
        }
    }
}

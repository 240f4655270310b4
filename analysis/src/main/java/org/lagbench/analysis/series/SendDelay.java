package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
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
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        if (run.sent() > 0) {
            long previous = run.sentNs(0);
            for (long i = 1; i < run.sent(); i++) {
                long next = run.sentNs(i);
                consumer.accept(next - previous);
                previous = next;
            }
        }
    }
}

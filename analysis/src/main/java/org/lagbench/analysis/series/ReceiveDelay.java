package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Inter-packet delay at the receiver: the difference of the stamps of packets that arrived one after the other, whatever
 * their sequence numbers, copies included.
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
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        if (run.received() > 0) {
            long previous = run.receivedNs(0);
            for (long i = 1; i < run.received(); i++) {
                long next = run.receivedNs(i);
                consumer.accept(next - previous);
                previous = next;
            }
        }
    }
}

package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Transmit lag, the one-way delay of RFC 7679: received − sent of each packet that came, its first copy, in the order of
 * arrival. Lost packets have none; they are counted beside.
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
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                consumer.accept(run.receivedNs(i) - run.sentNs(run.packetOf(i)));
            }
        }
    }
}

package org.lagbench.analysis.clock;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** Transmit lag with an estimate of the offset of the clocks taken from it. */
public final class CorrectedLag {
    private CorrectedLag() {}

    /**
     * Hands received − sent − offset when sent, in ns, of the first copy of each packet that came, in the order of
     * arrival.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static void forEach(JoinedRun run, OffsetLine offset, LongConsumer consumer) throws LagbenchException {
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                long sentNs = run.sentNs(run.packetOf(i));
                consumer.accept(run.receivedNs(i) - sentNs - offset.offsetNs(sentNs));
            }
        }
    }
}

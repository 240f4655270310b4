package org.lagbench.analysis.join;

import java.util.BitSet;
import org.lagbench.core.failure.LagbenchException;

/** Finds the packets of a run that arrived. */
final class ArrivedPackets {
    private ArrivedPackets() {}

    /** Returns a bit per packet sent, in one pass over the arrivals. */
    static BitSet of(JoinedRun run) throws LagbenchException {
        BitSet arrived = new BitSet(Math.toIntExact(run.sent()));
        long[] packets = new long[JoinedRun.BLOCK];
        for (long first = 0; first < run.received(); first += packets.length) {
            int count = (int) Math.min(packets.length, run.received() - first);
            run.receiver.read(first, run.sequence, packets, count);
            for (int i = 0; i < count; i++) {
                if (run.isMatched(first + i)) {
                    arrived.set((int) packets[i]);
                }
            }
        }
        return arrived;
    }
}

package org.lagbench.analysis.media;

import java.util.BitSet;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Ratio;
import org.lagbench.core.failure.LagbenchException;

/**
 * Duplicated packets (RFC 5560). Takes a bit per packet of one run at a time, only for runs with copies.
 *
 * @param copies copies beyond the first
 * @param fraction copies per packet that arrived, Type-P-one-way-packet-duplication-fraction (§5.1); NaN if none
 *     arrived
 * @param replicated packets of which more than one copy arrived
 * @param replicatedRate those per packet that arrived, Type-P-one-way-replicated-packet-rate (§5.2); NaN if none
 *     arrived
 */
public record Duplication(long copies, double fraction, long replicated, double replicatedRate) {
    static Duplication of(List<JoinedRun> runs) throws LagbenchException {
        long distinct = 0;
        long copies = 0;
        long replicated = 0;
        for (JoinedRun run : runs) {
            distinct += run.sent() - run.counts().lost();
            copies += run.counts().duplicated();
            replicated += run.counts().duplicated() == 0 ? 0 : replicated(run);
        }
        return new Duplication(copies, Ratio.of(copies, distinct), replicated, Ratio.of(replicated, distinct));
    }

    private static long replicated(JoinedRun run) throws LagbenchException {
        BitSet packets = new BitSet(Math.toIntExact(run.sent()));
        for (long i = 0; i < run.received(); i++) {
            if (!run.isFirstCopy(i) && run.packetOf(i) < run.sent()) {
                packets.set((int) run.packetOf(i));
            }
        }
        return packets.cardinality();
    }
}

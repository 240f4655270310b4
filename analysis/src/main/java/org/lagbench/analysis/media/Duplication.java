package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketBits;
import org.lagbench.core.failure.LagbenchException;

/**
 * How many packets came more than once (RFC 5560). Takes a bit a packet of one run at a time, and that only of runs
 * with copies.
 *
 * @param copies copies beyond the first
 * @param fraction copies by packet that came, Type-P-one-way-packet-duplication-fraction (§5.1); NaN if none came
 * @param replicated packets of which more than one copy came
 * @param replicatedRate those by packet that came, Type-P-one-way-replicated-packet-rate (§5.2); NaN if none came
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
        PacketBits bits = new PacketBits(run.sent());
        for (long i = 0; i < run.received(); i++) {
            if (!run.isFirstCopy(i) && run.packetOf(i) < run.sent()) {
                bits.set(run.packetOf(i));
            }
        }
        return bits.count();
    }
}

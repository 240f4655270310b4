package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketBits;
import org.lagbench.core.failure.LagbenchException;

/**
 * How many packets came more than once (RFC 5560). Takes a bit a packet of one run at a time, and that only of runs
 * with copies.
 *
 * @param distinct packets of which at least one copy came
 * @param copies copies beyond the first; by packet that came, Type-P-one-way-packet-duplication-fraction (§5.1)
 * @param replicated packets of which more than one copy came; by packet that came,
 *     Type-P-one-way-replicated-packet-rate (§5.2)
 */
public record Duplication(long distinct, long copies, long replicated) {
    static Duplication of(List<JoinedRun> runs) throws LagbenchException {
        long distinct = 0;
        long copies = 0;
        long replicated = 0;
        for (JoinedRun run : runs) {
            distinct += run.sent() - run.counts().lost();
            copies += run.counts().duplicated();
            replicated += run.counts().duplicated() == 0 ? 0 : replicated(run);
        }
        return new Duplication(distinct, copies, replicated);
    }

    /** Copies by packet that came; NaN if none came. */
    public double fraction() {
        return distinct == 0 ? Double.NaN : copies / (double) distinct;
    }

    /** Packets that came more than once by packet that came; NaN if none came. */
    public double replicatedRate() {
        return distinct == 0 ? Double.NaN : replicated / (double) distinct;
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

package org.lagbench.analysis.cause;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** Which packets came: a bit each. */
final class ReceivedPackets {
    private static final int BIT_SHIFT = 6;

    private final long[] bits;

    private ReceivedPackets(long packets) {
        bits = new long[Math.toIntExact((packets + Long.SIZE - 1) >>> BIT_SHIFT)];
    }

    static ReceivedPackets of(JoinedRun run) throws LagbenchException {
        ReceivedPackets received = new ReceivedPackets(run.sent());
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                long packet = run.packetOf(i);
                received.bits[(int) (packet >>> BIT_SHIFT)] |= 1L << packet;
            }
        }
        return received;
    }

    boolean contains(long packet) {
        return (bits[(int) (packet >>> BIT_SHIFT)] & 1L << packet) != 0;
    }
}

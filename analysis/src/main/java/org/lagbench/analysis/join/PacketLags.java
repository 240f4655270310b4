package org.lagbench.analysis.join;

import org.lagbench.core.failure.LagbenchException;

/** Reads lags with their packets, in blocks. */
public final class PacketLags {
    private PacketLags() {}

    /** Accepts lags with their packets. */
    @FunctionalInterface
    public interface LagConsumer {
        /** Accepts the sequence number of a packet and its lag in ns. */
        void accept(long packet, long lagNs);
    }

    /**
     * Passes received − sent of the first copy of each packet that arrived to the consumer, in the order of arrival.
     */
    public static void forEach(JoinedRun run, LagConsumer consumer) throws LagbenchException {
        long[] packets = new long[JoinedRun.BLOCK];
        long[] lagsNs = new long[JoinedRun.BLOCK];
        for (long first = 0; first < run.received(); first += JoinedRun.BLOCK) {
            int count = (int) Math.min(JoinedRun.BLOCK, run.received() - first);
            run.receiver.read(first, run.sequence, packets, count);
            int lags = run.readLagsNs(first, false, lagsNs, count);
            int next = 0;
            for (int i = 0; i < count; i++) {
                if (lags == count || run.isFirstCopy(first + i)) {
                    consumer.accept(packets[i], lagsNs[next++]);
                }
            }
        }
    }
}

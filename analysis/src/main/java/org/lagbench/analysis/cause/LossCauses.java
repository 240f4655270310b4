package org.lagbench.analysis.cause;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketBits;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * What lost packets.
 *
 * @param lost how many were lost
 * @param byKernelDrop how many of them the receiving kernel dropped: those that would have come to its socket, after
 *     the least to the median lag of those that came, while its counter of drops grew; no more than it counted
 */
public record LossCauses(long lost, long byKernelDrop) {
    /** Of both together. */
    public LossCauses plus(LossCauses other) {
        return new LossCauses(lost + other.lost, byKernelDrop + other.byKernelDrop);
    }

    /**
     * Of a run. Takes a bit a packet if there are drops.
     *
     * @param lag the lag of the packets that came
     * @param counted how many drops the receiver counted; null if it did not tell
     */
    static LossCauses of(JoinedRun run, EventTimeline receiver, SeriesStatistics lag, @Nullable Long counted)
            throws LagbenchException {
        long lost = run.counts().lost();
        if (lost == 0 || lag.n() == 0 || receiver.size(Cause.KERNEL_DROP) == 0) {
            return new LossCauses(lost, 0);
        }
        PacketBits received = PacketBits.arrived(run);
        long leastNs = Math.round(lag.minimumNs());
        long medianNs = Math.round(lag.medianNs());
        long dropped = 0;
        for (long packet = received.nextClear(0); packet < run.sent(); packet = received.nextClear(packet + 1)) {
            long sentNs = run.sentNs(packet);
            if (receiver.overlapNs(Cause.KERNEL_DROP, sentNs + leastNs, sentNs + medianNs + 1) > 0) {
                dropped++;
            }
        }
        return new LossCauses(lost, counted == null ? dropped : Math.min(dropped, counted));
    }
}

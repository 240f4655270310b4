package org.lagbench.analysis.cause;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * The causes of lost packets.
 *
 * @param lost number of lost packets
 * @param byKernelDrop number of them that the receiving kernel dropped: with a lag between the smallest and the median,
 *     they would have arrived while its drop counter grew. At most the counter's increase
 */
public record LossCauses(long lost, long byKernelDrop) {
    /** Returns the sum of these counts and others. */
    public LossCauses plus(LossCauses other) {
        return new LossCauses(lost + other.lost, byKernelDrop + other.byKernelDrop);
    }

    /**
     * Computes the causes of one run. Takes a bit per packet if there are drops.
     *
     * @param lag the lag of the packets that arrived
     * @param counted number of drops that the receiver counted; null if unknown
     */
    static LossCauses of(JoinedRun run, EventTimeline receiver, SeriesStatistics lag, @Nullable Long counted)
            throws LagbenchException {
        long lost = run.counts().lost();
        if (lost == 0 || lag.n() == 0 || receiver.spans(Cause.KERNEL_DROP).isEmpty()) {
            return new LossCauses(lost, 0);
        }
        BitSet arrived = run.arrivedPackets();
        long minNs = Math.round(lag.minimumNs());
        long medianNs = Math.round(lag.medianNs());
        long dropped = 0;
        for (int packet = arrived.nextClearBit(0); packet < run.sent(); packet = arrived.nextClearBit(packet + 1)) {
            long sentNs = run.sentNs(packet);
            if (receiver.overlapNs(Cause.KERNEL_DROP, sentNs + minNs, sentNs + medianNs + 1) > 0) {
                dropped++;
            }
        }
        return new LossCauses(lost, counted == null ? dropped : Math.min(dropped, counted));
    }
}

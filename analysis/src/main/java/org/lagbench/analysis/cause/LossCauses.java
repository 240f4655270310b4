package org.lagbench.analysis.cause;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketDrops;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;

/**
 * The causes of lost packets, of those asked for.
 *
 * @param lost number of lost packets
 * @param byKernelDrop number of them that the receiving kernel dropped, though they were not damaged: by its record of
 *     drops. Without that, those that with a lag between the smallest and the median would have arrived while its
 *     counter of full buffers grew; at most the counter's increase. Without that too, as before windows, the increase
 * @param damaged number of them that arrived damaged
 * @param dropReasons number of the dropped and the damaged packets by the kernel's reason; none without its record of
 *     drops
 */
public record LossCauses(long lost, long byKernelDrop, long damaged, Map<String, Long> dropReasons) {
    private static final String TITLE = "Lost packets";

    static final List<Metric<LossCauses>> METRICS = List.of(
            Metric.packets("ledger.losses.lost", TITLE, "All", LossCauses::lost),
            Metric.packets("ledger.losses.byKernelDrop", TITLE, "Dropped by the kernel", LossCauses::byKernelDrop),
            Metric.packets("ledger.losses.damaged", TITLE, "Damaged", LossCauses::damaged),
            Metric.packetsByName(
                            "ledger.losses.dropReasons.",
                            TITLE,
                            "Dropped by the kernel for one reason",
                            LossCauses::dropReasons)
                    .zeroIfAbsent());

    /** Returns the sum of these counts and others. */
    public LossCauses plus(LossCauses other) {
        Map<String, Long> reasons = new TreeMap<>(dropReasons);
        other.dropReasons.forEach((reason, packets) -> reasons.merge(reason, packets, Long::sum));
        return new LossCauses(lost + other.lost, byKernelDrop + other.byKernelDrop, damaged + other.damaged, reasons);
    }

    /** Returns how many lost packets have no known cause. */
    public long unexplained() {
        return lost - byKernelDrop - damaged;
    }

    /** Adds counted packets that arrived damaged. The record of drops may not recognize a damaged packet. */
    LossCauses withDamaged(long counted) {
        long all = Math.max(damaged, Math.min(counted, lost - byKernelDrop));
        return new LossCauses(lost, byKernelDrop, all, dropReasons);
    }

    /**
     * Computes the causes of one run. Allocates one bit per packet if there are drops.
     *
     * @param run the packets asked for
     * @param lag the lag of the packets that arrived
     * @param counted number of drops that the receiver counted; null if unknown
     */
    static LossCauses of(JoinedRun run, RunCauses causes, SeriesStatistics lag, @Nullable Long counted)
            throws LagbenchException {
        long lost = run.counts().lost();
        PacketDrops drops = causes.drops();
        if (lost == 0) {
            return new LossCauses(0, 0, 0, Map.of());
        } else if (drops != null && drops.isComplete()) {
            Map<String, Long> reasons = drops.reasons(run);
            long dropped = reasons.values().stream().mapToLong(n -> n).sum();
            long damaged = DropsCapture.DAMAGES.stream()
                    .mapToLong(reason -> reasons.getOrDefault(reason, 0L))
                    .sum();
            return new LossCauses(lost, dropped - damaged, damaged, reasons);
        }
        if (causes.run().isRestricted()) {
            return new LossCauses(lost, counted == null ? 0 : Math.min(lost, counted), 0, Map.of());
        }
        EventTimeline receiver = causes.receiver();
        if (lag.n() == 0 || receiver.spans(Cause.KERNEL_DROP).isEmpty()) {
            return new LossCauses(lost, 0, 0, Map.of());
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
        return new LossCauses(lost, counted == null ? dropped : Math.min(dropped, counted), 0, Map.of());
    }
}

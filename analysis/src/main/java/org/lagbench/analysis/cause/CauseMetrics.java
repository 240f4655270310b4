package org.lagbench.analysis.cause;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The causes of the tails of one run or of several, each value attributed within its run.
 *
 * @param tail which values are the tail
 * @param lag the transmit lag
 * @param lagFromSchedule the lag from the scheduled time; null without a schedule
 * @param losses the lost packets
 * @param waitsLost switches and wake-ups of the packet threads that the scheduler's records do not have
 * @param stamps how many arrivals have a stamp of the receiving kernel
 */
public record CauseMetrics(
        Tail tail,
        TailCauses lag,
        @Nullable TailCauses lagFromSchedule,
        LossCauses losses,
        long waitsLost,
        StampCounts stamps) {
    /** The metrics of causes. */
    public static final List<Metric<CauseMetrics>> METRICS = Stream.of(
                    List.of(Metric.<CauseMetrics>number(
                            "causes.tail",
                            "Tail",
                            "Quantile",
                            Metric.PERCENT,
                            Combination.NOT_JUDGED,
                            metrics -> metrics.tail.percent())),
                    Metric.within(
                            CauseMetrics::lag,
                            TailCauses.metrics("causes.lag.", "Cause of the tail", "Tail of the lag")),
                    Metric.within(
                            CauseMetrics::lagFromSchedule,
                            TailCauses.metrics(
                                    "causes.lagFromSchedule.",
                                    "Cause of the tail from schedule",
                                    "Tail of the lag from schedule")),
                    Metric.within(CauseMetrics::losses, LossCauses.METRICS),
                    List.of(Metric.<CauseMetrics>count(
                            "causes.waitsLost",
                            "Scheduler records",
                            "Missing",
                            "records",
                            Combination.SUM,
                            CauseMetrics::waitsLost)),
                    Metric.within(CauseMetrics::stamps, StampCounts.METRICS))
            .flatMap(List::stream)
            .toList();

    /** Returns the sum of these metrics and others of the same tail. */
    public CauseMetrics plus(CauseMetrics other) {
        return new CauseMetrics(
                tail,
                lag.plus(other.lag),
                lagFromSchedule == null || other.lagFromSchedule == null
                        ? null
                        : lagFromSchedule.plus(other.lagFromSchedule),
                losses.plus(other.losses),
                waitsLost + other.waitsLost,
                stamps.plus(other.stamps));
    }

    /**
     * How many arrivals have a stamp of the receiving kernel.
     *
     * @param arrivals number of packets that arrived, copies included
     * @param stamped number of them with their own stamp
     * @param joined number of them that share the stamp of a later packet of a stream
     * @param assumed number of them without a stamp, where no network lies between the sides
     */
    public record StampCounts(long arrivals, long stamped, long joined, long assumed) {
        static final List<Metric<StampCounts>> METRICS = List.of(
                count("arrivals", "Arrivals", StampCounts::arrivals),
                count("stamped", "Own stamp", StampCounts::stamped),
                count("joined", "Joined", StampCounts::joined),
                count("assumed", "Assumed", StampCounts::assumed));

        private static Metric<StampCounts> count(String name, String statistic, Metric.Getter<StampCounts> packets) {
            return Metric.packets("causes.stamps." + name, "Receive stamps", statistic, packets)
                    .higherIsBetter();
        }

        /** Returns the sum of these counts and others. */
        StampCounts plus(StampCounts other) {
            return new StampCounts(
                    arrivals + other.arrivals, stamped + other.stamped, joined + other.joined, assumed + other.assumed);
        }
    }

    /**
     * The causes of lost packets, of those asked for.
     *
     * @param lost number of lost packets
     * @param byKernelDrop number of them that the receiving kernel dropped, though they were not damaged: by its record
     *     of drops. Without that, those that with a lag between the smallest and the median would have arrived while
     *     its counter of full buffers grew; at most the counter's increase. Without that too, as before windows, the
     *     increase
     * @param damaged number of them that arrived damaged
     * @param dropReasons number of the dropped and the damaged packets by the kernel's reason; none without its record
     *     of drops
     */
    public record LossCauses(long lost, long byKernelDrop, long damaged, Map<String, Long> dropReasons) {
        private static final String TITLE = "Lost packets";

        static final List<Metric<LossCauses>> METRICS = List.of(
                Metric.packets("causes.losses.lost", TITLE, "All", LossCauses::lost),
                Metric.packets("causes.losses.byKernelDrop", TITLE, "Dropped by the kernel", LossCauses::byKernelDrop),
                Metric.packets("causes.losses.damaged", TITLE, "Damaged", LossCauses::damaged),
                Metric.packetsByName(
                                "causes.losses.dropReasons.",
                                TITLE,
                                "Dropped by the kernel for one reason",
                                LossCauses::dropReasons)
                        .zeroIfAbsent());

        /** Returns the sum of these counts and others. */
        public LossCauses plus(LossCauses other) {
            Map<String, Long> reasons = new TreeMap<>(dropReasons);
            other.dropReasons.forEach((reason, packets) -> reasons.merge(reason, packets, Long::sum));
            return new LossCauses(
                    lost + other.lost, byKernelDrop + other.byKernelDrop, damaged + other.damaged, reasons);
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
}

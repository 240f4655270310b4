package org.lagbench.analysis.media;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketLags;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The multimedia metrics of one run, or of several runs of one point. No value spans the end of a run. A constant clock
 * offset cancels out of all of them; a drift during a run does not.
 *
 * @param jitter interarrival jitter (RFC 3550)
 * @param ipdv the difference of the lags of consecutive packets (RFC 3393)
 * @param pdv the lag above the smallest (RFC 5481)
 * @param loss the pattern of losses (RFC 3357)
 * @param reordering how far packets arrived out of order (RFC 4737)
 * @param duplication duplicated packets (RFC 5560)
 * @param deliveryIndex the Media Delivery Index (RFC 4445); null for floods, which have no nominal rate
 */
public record MediaMetrics(
        Jitter jitter,
        Ipdv ipdv,
        TailStatistics pdv,
        LossPattern loss,
        Reordering reordering,
        Duplication duplication,
        @Nullable DeliveryIndex deliveryIndex) {
    /** The multimedia metrics. */
    public static final List<Metric<MediaMetrics>> METRICS = Stream.of(
                    Metric.within(MediaMetrics::jitter, Jitter.METRICS),
                    Metric.within(MediaMetrics::ipdv, Ipdv.METRICS),
                    Metric.within(MediaMetrics::pdv, TailStatistics.metrics("media.pdv.", "PDV")),
                    Metric.within(MediaMetrics::loss, LossPattern.METRICS),
                    Metric.within(MediaMetrics::reordering, Reordering.METRICS),
                    Metric.within(MediaMetrics::duplication, Duplication.METRICS),
                    Metric.within(MediaMetrics::deliveryIndex, DeliveryIndex.METRICS))
            .flatMap(List::stream)
            .toList();

    /**
     * Computes the metrics of runs of one point.
     *
     * @param paceIntervalNs the time between packets or bursts in ns; 0 for a flood
     * @param paceBurst the number of packets in a burst, 1 if evenly paced
     */
    public static MediaMetrics of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        return new MediaMetrics(
                Jitter.of(runs),
                Ipdv.of(runs),
                TailStatistics.of(Pdv.values(runs)),
                LossPattern.of(runs),
                Reordering.of(runs),
                Duplication.of(runs),
                paceIntervalNs > 0 ? DeliveryIndex.of(runs, paceIntervalNs, paceBurst) : null);
    }

    /**
     * Interarrival jitter (RFC 3550 §6.4.1). For packets i − 1 and i in the order of arrival, whatever their sequence
     * numbers, with S the time sent and R the time received,
     *
     * <pre>
     *   D(i−1, i) = (R(i) − R(i−1)) − (S(i) − S(i−1))
     *   J(i) = J(i−1) + (|D(i−1, i)| − J(i−1)) / 16,   J of the first packet = 0
     * </pre>
     *
     * <p>S is the stamp before the send call, where RTP uses the sampling instant. J is computed without rounding, on
     * the first copy of each packet.
     *
     * @param lastNs J after the last packet in ns, as in a receiver report; the mean over several runs; NaN if nothing
     *     arrived
     * @param meanNs mean of J over all arrivals in ns: the sum of J divided by their number, the first of each run (J =
     *     0) included; RFC 3550 defines no mean; NaN if nothing arrived
     * @param maximumNs largest J in ns; NaN if nothing arrived
     */
    public record Jitter(double lastNs, double meanNs, double maximumNs) {
        private static final String TITLE = "RTP jitter";

        static final List<Metric<Jitter>> METRICS = List.of(
                Metric.time("media.jitter.last", TITLE, "Last", Combination.MEDIAN, Jitter::lastNs),
                Metric.time("media.jitter.mean", TITLE, "Mean", Combination.MEDIAN, Jitter::meanNs),
                Metric.time("media.jitter.maximum", TITLE, "Max", Combination.MAX, Jitter::maximumNs));

        private static final double GAIN = 1.0 / 16;

        static Jitter of(List<JoinedRun> runs) throws LagbenchException {
            JitterSum sum = new JitterSum();
            double last = 0;
            int runsWithArrivals = 0;
            for (JoinedRun run : runs) {
                sum.isFirst = true;
                PacketDelay.TRANSMIT_LAG.forEach(run, sum);
                if (!sum.isFirst) {
                    last += sum.jitter;
                    runsWithArrivals++;
                }
            }
            return sum.arrivals == 0
                    ? new Jitter(Double.NaN, Double.NaN, Double.NaN)
                    : new Jitter(last / runsWithArrivals, sum.sum / sum.arrivals, sum.maximum);
        }

        /** Accepts lags R − S: the difference of two is D, and no absolute stamp becomes a double. */
        private static final class JitterSum implements LongConsumer {
            private boolean isFirst;
            private long previousNs;
            private double jitter;
            private long arrivals;
            private double sum;
            private double maximum;

            @Override
            public void accept(long lagNs) {
                jitter = isFirst ? 0 : jitter + (Math.abs((double) (lagNs - previousNs)) - jitter) * GAIN;
                isFirst = false;
                previousNs = lagNs;
                sum += jitter;
                maximum = Math.max(maximum, jitter);
                arrivals++;
            }
        }
    }

    /**
     * One-way IP packet delay variation (RFC 3393 §2) between consecutive packets, the IPDV form of RFC 5481 §4.1:
     * lag(i) − lag(i − 1) of each packet i. Undefined if one of the two was lost.
     *
     * @param signed the differences; their mean is 0 except for a drift
     * @param size the absolute differences
     * @param undefined pairs of which a packet was lost, or which arrived more than {@value #REACH} packets apart
     */
    public record Ipdv(TailStatistics signed, TailStatistics size, long undefined) {
        /** Number of recent packets among which the other packet of a pair is searched. */
        static final int REACH = 1 << 16;

        static final List<Metric<Ipdv>> METRICS = Stream.of(
                        Metric.within(Ipdv::signed, TailStatistics.metrics("media.ipdv.signed.", "IPDV")),
                        Metric.within(Ipdv::size, TailStatistics.metrics("media.ipdv.size.", "Size of IPDV")),
                        List.of(Metric.packets("media.ipdv.undefined", "IPDV", "Undefined pairs", Ipdv::undefined)))
                .flatMap(List::stream)
                .toList();

        private static final int MASK = REACH - 1;

        static Ipdv of(List<JoinedRun> runs) throws LagbenchException {
            TailStatistics signed = TailStatistics.of(values(runs));
            TailStatistics size = TailStatistics.of(
                    consumer -> values(runs).forEach(difference -> consumer.accept(Math.abs(difference))));
            long pairs =
                    runs.stream().mapToLong(run -> Math.max(0, run.sent() - 1)).sum();
            return new Ipdv(signed, size, pairs - signed.n());
        }

        private static LongValues values(List<JoinedRun> runs) {
            return consumer -> {
                long[] packets = new long[REACH];
                long[] lags = new long[REACH];
                for (JoinedRun run : runs) {
                    Arrays.fill(packets, -1);
                    PacketLags.forEach(run, (packet, lagNs) -> {
                        // a pair is known when its second packet arrives, after reordering the one sent first
                        int place = (int) packet & MASK;
                        int before = (int) (packet - 1) & MASK;
                        int after = (int) (packet + 1) & MASK;
                        if (packet > 0 && packets[before] == packet - 1) {
                            consumer.accept(lagNs - lags[before]);
                        }
                        if (packets[after] == packet + 1) {
                            consumer.accept(lags[after] - lagNs);
                        }
                        packets[place] = packet;
                        lags[place] = lagNs;
                    });
                }
            };
        }
    }

    /**
     * Duplicated packets (RFC 5560). Takes a bit per packet of one run at a time, only for runs with copies.
     *
     * @param copies copies beyond the first
     * @param fraction copies per packet that arrived, Type-P-one-way-packet-duplication-fraction (§5.1); NaN if none
     *     arrived
     * @param replicated packets of which more than one copy arrived
     * @param replicatedRate those per packet that arrived, Type-P-one-way-replicated-packet-rate (§5.2); NaN if none
     *     arrived
     * @param arrived packets that arrived
     */
    public record Duplication(long copies, double fraction, long replicated, double replicatedRate, long arrived) {
        private static final String TITLE = "Duplication";

        static final List<Metric<Duplication>> METRICS = List.of(
                Metric.packets("media.duplication.copies", TITLE, "Copies", Duplication::copies),
                Metric.packets("media.duplication.replicated", TITLE, "Packets with copies", Duplication::replicated),
                Metric.quotient(
                        "media.duplication.fraction",
                        TITLE,
                        "Copies per packet",
                        Duplication::fraction,
                        Duplication::arrived),
                Metric.quotient(
                        "media.duplication.replicatedRate",
                        TITLE,
                        "Share with copies",
                        Duplication::replicatedRate,
                        Duplication::arrived));

        static Duplication of(List<JoinedRun> runs) throws LagbenchException {
            long distinct = 0;
            long copies = 0;
            long replicated = 0;
            for (JoinedRun run : runs) {
                distinct += run.sent() - run.counts().lost();
                copies += run.counts().duplicated();
                replicated += run.counts().duplicated() == 0 ? 0 : replicated(run);
            }
            return new Duplication(
                    copies, (double) copies / distinct, replicated, (double) replicated / distinct, distinct);
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

    /**
     * Packet delay variation (RFC 5481 §4.2): lag(i) minus the smallest lag of its run, for the first copy of each
     * packet. Its 99.9 % quantile is what ITU-T Y.1540 and RFC 5481 §7.3 report. A constant clock offset cancels out.
     */
    public static final class Pdv {
        private Pdv() {}

        /** Returns the values of all runs in ns, each relative to the smallest lag of its run. */
        public static LongValues values(List<JoinedRun> runs) {
            long[] min = new long[runs.size()];
            for (int i = 0; i < min.length; i++) {
                min[i] = runs.get(i).lags().minNs();
            }
            return consumer -> {
                for (int i = 0; i < min.length; i++) {
                    long minNs = min[i];
                    PacketDelay.TRANSMIT_LAG.forEach(runs.get(i), lagNs -> consumer.accept(lagNs - minNs));
                }
            };
        }
    }
}

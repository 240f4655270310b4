package org.lagbench.analysis.summary;

import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.LagRange;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.OrderStatistics;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.core.run.SenderFacts;
import org.lagbench.core.run.StreamRole;

/**
 * The cost of repairing losses and the losses that remain: by the captures, by the counters of the library or the
 * kernel that repairs, and by those of the emulated link. Only the captures decide what was lost or late.
 *
 * @param configuredLatencyNs how long the transport holds packets to repair losses meanwhile; null if it does not
 * @param effectiveLatencyNs the smallest lag of a connection, which is one run; the mean over several; NaN if nothing
 *     arrived, or without a configured latency
 * @param arrived999Ns the lag by which 99.9 % of the sent packets had arrived; NaN if fewer arrived
 * @param unusable by latency, such as "100ms": the share of the sent packets that were lost, or arrived later than it
 * @param late packets that arrived more than {@link #LATE_NS} after the effective latency of their run; null without a
 *     configured latency
 * @param lateShare their share of the sent packets; NaN likewise
 * @param loss the share of packets that were not delivered, with a 95 % interval over the runs
 * @param library null if no library or kernel counted
 * @param link null without an emulated link, or if it also carried something else
 * @param packets the packet counts that shares are of
 */
public record Recovery(
        @Nullable Long configuredLatencyNs,
        double effectiveLatencyNs,
        double arrived999Ns,
        Map<String, Double> unusable,
        @Nullable Long late,
        double lateShare,
        Loss loss,
        @Nullable Library library,
        @Nullable Link link,
        RunPacketCounts packets) {
    private static final String ADDED = "Added bytes";
    private static final String LATENCY = "Latency of a connection";
    private static final String LATE = "Late packets";
    private static final String RESIDUAL = "Residual loss";
    private static final String COUNTERS = "Counters of the library";
    private static final String LINK = "Counters of the link";

    /** The metrics of recovery. */
    static final List<Metric<Recovery>> METRICS = Stream.of(
                    List.of(
                            Metric.time(
                                    "recovery.configuredLatency",
                                    LATENCY,
                                    "Configured",
                                    Combination.MAX,
                                    Recovery::configuredLatencyNs),
                            Metric.time(
                                            "recovery.effectiveLatency",
                                            LATENCY,
                                            "Effective",
                                            Combination.MEDIAN,
                                            Recovery::effectiveLatencyNs)
                                    .byTwoClocks(),
                            Metric.<Recovery>time(
                                            "recovery.arrived999",
                                            LATENCY,
                                            "99.9 % arrived",
                                            Combination.MEDIAN,
                                            recovery -> recovery.arrived999Ns)
                                    .byTwoClocks(),
                            Metric.<Amounts>quotient(
                                            "",
                                            "Lost or later than a latency",
                                            "Share",
                                            Amounts::share,
                                            Amounts::packets)
                                    .inFamily("recovery.unusable.*", Recovery::unusableByLatency),
                            Metric.packets("recovery.late", LATE, "Count", Recovery::late),
                            ofSent("recovery.lateShare", LATE, "Share", Recovery::lateShare),
                            ofSent("recovery.loss.share", RESIDUAL, "Share", recovery -> recovery.loss.share),
                            Metric.<Recovery>fraction(
                                    "recovery.loss.low",
                                    RESIDUAL,
                                    "Low",
                                    Combination.NOT_JUDGED,
                                    recovery -> recovery.loss.low),
                            Metric.<Recovery>fraction(
                                    "recovery.loss.high",
                                    RESIDUAL,
                                    "High",
                                    Combination.NOT_JUDGED,
                                    recovery -> recovery.loss.high),
                            Metric.<Recovery>mean(
                                    "recovery.loss.burst",
                                    RESIDUAL,
                                    "Burst",
                                    "packets",
                                    recovery -> recovery.loss.burst,
                                    recovery -> recovery.packets.lost())),
                    Metric.within(Recovery::library, Library.METRICS),
                    List.of(
                            ofSent(
                                    "recovery.library.addedShare",
                                    COUNTERS,
                                    ADDED,
                                    recovery -> recovery.library == null ? null : recovery.library.addedShare),
                            ofSent(
                                    "recovery.link.addedShare",
                                    LINK,
                                    ADDED,
                                    recovery -> recovery.link == null ? null : (Double) recovery.link.addedShare)),
                    Metric.within(
                            Recovery::link,
                            List.of(
                                    Metric.count(
                                            "recovery.link.framesLost",
                                            LINK,
                                            "Frames lost",
                                            "frames",
                                            Combination.SUM,
                                            Link::framesLost),
                                    Metric.size("recovery.link.bytes", LINK, "Bytes", Combination.SUM, Link::bytes))))
            .flatMap(List::stream)
            .toList();

    /** A share of packets, and how many packets it is of. */
    private record Amounts(double share, long packets) {}

    private static Metric<Recovery> ofSent(String id, String title, String statistic, Metric.Getter<Recovery> share) {
        return Metric.quotient(id, title, statistic, share, recovery -> recovery.packets.sent());
    }

    private static Map<String, Amounts> unusableByLatency(Recovery recovery) {
        Map<String, Amounts> shares = new LinkedHashMap<>();
        recovery.unusable.forEach((latency, share) -> shares.put(latency, new Amounts(share, recovery.packets.sent())));
        return Metric.entries("recovery.unusable.", shares, latency -> latency, "");
    }

    /** A packet is late from this time after the effective latency on: longer than the wake-up of a thread. */
    public static final long LATE_NS = 5_000_000;

    /** The latencies at which packets are judged. */
    public static final List<Duration> LATENCIES =
            Stream.of(20, 50, 100, 150, 200, 400).map(Duration::ofMillis).toList();

    private static final int PARTS = 1_000;

    /**
     * The share of packets that were not delivered: lost, or too late for the library.
     *
     * @param share from 0 to 1
     * @param low the lower end of its 95 % interval, as of a requirement of it; NaN with too few repeats
     * @param high the upper end; NaN likewise
     * @param burst of how many consecutive lost packets a lost packet is one, in the mean; 0 without losses
     */
    public record Loss(double share, double low, double high, double burst) {}

    /**
     * The counts of a library, or of the kernel for TCP, of all packets, the unrecorded ones included. Each is null if
     * it was not counted.
     *
     * @param notSent packets that the sender's library dropped before they left the host
     * @param lost packets whose first copy was lost on the way
     * @param repaired lost packets that were delivered after their repair
     * @param givenUp lost packets that were not delivered
     * @param needless copies that arrived of packets that had arrived
     * @param retransmitted retransmitted packets, or segments of TCP
     * @param redundant packets sent so that lost ones can be computed
     * @param addedShare bytes of retransmitted and redundant packets as a share of the bytes of the packets
     */
    public record Library(
            @Nullable Long notSent,
            @Nullable Long lost,
            @Nullable Long repaired,
            @Nullable Long givenUp,
            @Nullable Long needless,
            @Nullable Long retransmitted,
            @Nullable Long redundant,
            @Nullable Double addedShare) {
        static final List<Metric<Library>> METRICS = List.of(
                count("notSent", "Not sent", Library::notSent),
                count("lost", "First copies lost", Library::lost),
                count("repaired", "Repaired", Library::repaired),
                count("givenUp", "Given up", Library::givenUp),
                count("needless", "Needless copies", Library::needless),
                count("retransmitted", "Retransmitted", Library::retransmitted),
                count("redundant", "Redundant", Library::redundant));

        private static Metric<Library> count(String name, String statistic, Metric.Getter<Library> packets) {
            return Metric.packets("recovery.library." + name, COUNTERS, statistic, packets);
        }

        private static final Library NOTHING = new Library(null, null, null, null, null, null, null, null);

        private static @Nullable Library of(PooledRuns runs, double packets) {
            Retransmission ofKernel = Retransmission.of(runs);
            if (ofKernel != null) {
                Long bytes = ofKernel.bytes();
                Double share =
                        bytes == null ? null : bytes / packets / runs.point().packetBytes();
                return new Library(null, null, null, null, ofKernel.needless(), ofKernel.segments(), null, share);
            }
            Long retransmitted = count(runs, "Retransmitted");
            Long redundant = count(runs, "Redundant");
            Library counted = new Library(
                    count(runs, "NotSent"),
                    count(runs, "Lost"),
                    count(runs, "Repaired"),
                    count(runs, "GivenUp"),
                    count(runs, "Needless"),
                    retransmitted,
                    redundant,
                    retransmitted == null
                            ? null
                            : (retransmitted + Objects.requireNonNullElse(redundant, 0L)) / packets);
            return counted.equals(NOTHING) ? null : counted;
        }

        /**
         * Returns a count of a side, whose name begins with the transport or the engine: srtPacketsLost,
         * quicPacketsLost.
         */
        static @Nullable Long count(PooledRuns runs, String name) {
            return Stream.of(runs.point().transport(), runs.point().engine())
                    .map(prefix -> prefix + "Packets" + name)
                    .flatMap(key -> Stream.of(runs.receivers(), runs.senders())
                            .flatMap(sides -> Stream.ofNullable(runs.total(sides, key))))
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * What passed the emulated link toward the receiver, frames of connecting and of control included.
     *
     * @param framesLost frames that it lost
     * @param bytes bytes that were sent over it, from the Ethernet header on
     * @param addedShare bytes above those of the packets, headers included, as a share of the latter
     */
    public record Link(long framesLost, long bytes, double addedShare) {
        private static @Nullable Link of(PooledRuns runs, double packets) {
            long framesLost = 0;
            long bytes = 0;
            for (OpenRun run : runs.open()) {
                Map<String, Long> counts = counts(run.record());
                if (!counts.containsKey("receivedBytes")) {
                    return null;
                }
                framesLost += counts.getOrDefault("lost", 0L) + counts.getOrDefault("lostInBursts", 0L);
                bytes += counts.getOrDefault("receivedBytes", 0L);
            }
            return new Link(framesLost, bytes, bytes / packets / runs.point().packetBytes() - 1);
        }

        /** Returns the counts of the relay that only this run's packets pass; empty without a relay. */
        private static Map<String, Long> counts(RunRecord record) {
            StreamRole stream = record.run().stream();
            boolean isForward = StreamRole.directionOf(stream) == StreamRole.Direction.FORWARD;
            List<Station> stations =
                    record.lab() == null ? List.of() : record.lab().stations();
            boolean isShared = (stream != null && !stream.isAlone())
                    || stations.stream().anyMatch(station -> station.place().startsWith("flow"));
            return stations.stream()
                    .filter(station ->
                            !isShared && station.place().equals("relay " + (isForward ? "forward" : "reverse")))
                    .map(Station::counts)
                    .findFirst()
                    .orElse(Map.of());
        }
    }

    /** Returns the metrics of one run or several. */
    static Recovery of(PooledRuns runs) throws LagbenchException {
        double latencySumNs = 0;
        int connections = 0;
        long[] late = {0};
        long sent = 0;
        double packets = 0;
        for (OpenRun run : runs.open()) {
            LagRange lags = run.run().lags();
            if (lags.exceeds(LATE_NS)) {
                PacketDelay.TRANSMIT_LAG.forEach(run.run(), lagNs -> late[0] += lagNs - lags.minNs() > LATE_NS ? 1 : 0);
            }
            if (run.run().counts().received() > 0) {
                latencySumNs += lags.minNs();
                connections++;
            }
            sent += run.run().sent();
            packets += allPackets(run.record());
        }
        Long holdNs = Transports.load()
                .find(runs.point().transport())
                .map(transport -> transport.holdNs(runs.point().point().settings()))
                .filter(ns -> ns > 0)
                .orElse(null);
        return new Recovery(
                holdNs,
                holdNs == null ? Double.NaN : latencySumNs / connections,
                arrived999Ns(runs, sent),
                unusable(runs, sent),
                holdNs == null ? null : (Long) late[0],
                holdNs == null ? Double.NaN : (double) late[0] / sent,
                loss(runs),
                Library.of(runs, packets),
                Link.of(runs, packets),
                runs.packets());
    }

    private static double arrived999Ns(PooledRuns runs, long sent) throws LagbenchException {
        OrderStatistics lags = OrderStatistics.of(consumer -> {
            for (OpenRun run : runs.open()) {
                PacketDelay.TRANSMIT_LAG.forEach(run.run(), consumer);
            }
        });
        long needed = sent - sent / PARTS;
        return needed == 0 || lags.n() < needed ? Double.NaN : (double) lags.at(needed - 1)[0];
    }

    private static Map<String, Double> unusable(PooledRuns runs, long sent) throws LagbenchException {
        long[] usable = new long[LATENCIES.size()];
        long[] limitsNs = LATENCIES.stream().mapToLong(Duration::toNanos).toArray();
        for (OpenRun run : runs.open()) {
            PacketDelay.TRANSMIT_LAG.forEach(run.run(), lagNs -> {
                for (int i = 0; i < limitsNs.length; i++) {
                    usable[i] += lagNs <= limitsNs[i] ? 1 : 0;
                }
            });
        }
        Map<String, Double> shares = new LinkedHashMap<>();
        for (int i = 0; i < usable.length; i++) {
            shares.put(Durations.format(LATENCIES.get(i).toNanos()), 1 - (double) usable[i] / sent);
        }
        return shares;
    }

    /** Returns the number of packets of a run, the unrecorded ones included. */
    private static double allPackets(RunRecord record) {
        long recorded = record.stampedPackets() + record.point().warmUpPackets();
        SenderFacts sender = record.sender().metadata(SenderFacts.class);
        return sender == null ? recorded : recorded + sender.leadOutPackets();
    }

    /** Returns the share of lost packets, with runs as the clusters of its interval. */
    private static Loss loss(PooledRuns runs) throws LagbenchException {
        List<JoinedRun> all = runs.joined();
        double[] lost = all.stream().mapToDouble(run -> run.counts().lost()).toArray();
        Interval share = new ClusteredShare(
                        lost, all.stream().mapToDouble(JoinedRun::sent).toArray(), ClusteredShare.ASSUMED_BURST)
                .interval();
        long repeats = runs.open().stream()
                .map(run -> run.record().run().repeat())
                .distinct()
                .count();
        Interval shown = repeats < RepeatEstimate.MIN ? share.withoutEnds() : share;
        double sum = StatUtils.sum(lost);
        return new Loss(share.value(), shown.low(), shown.high(), sum == 0 ? 0 : burstSquares(all) / sum);
    }

    /** Returns the sum of the squares of the lengths of all bursts of lost packets. */
    private static double burstSquares(List<JoinedRun> runs) throws LagbenchException {
        double squares = 0;
        for (JoinedRun run : runs) {
            if (run.counts().lost() > 0) {
                BitSet arrived = run.arrivedPackets();
                for (int first = arrived.nextClearBit(0); first < run.sent(); ) {
                    int next = arrived.nextSetBit(first);
                    int end = next < 0 ? (int) run.sent() : next;
                    squares += (double) (end - first) * (end - first);
                    first = arrived.nextClearBit(end);
                }
            }
        }
        return squares;
    }
}

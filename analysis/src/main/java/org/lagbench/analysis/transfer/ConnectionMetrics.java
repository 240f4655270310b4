package org.lagbench.analysis.transfer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.Transfer.ConnectionStates;
import org.lagbench.analysis.transfer.TransferMetrics.Rate;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * What limited the transfers, by the kernel's TCP_INFO.
 *
 * @param inSlowStart transfers that never left slow start
 * @param medianCwndSegments the median of the congestion windows at the end
 * @param medianSegmentBytes payload of a full segment
 * @param retransmittedSegments segments retransmitted, of all transfers
 * @param busyNs the time with data to send, of all transfers
 * @param receiveWindowLimited part of the time with data to send that the receiver's window limited, from 0 to 1; NaN
 *     if unknown
 * @param sendBufferLimited part of it that the send buffer limited; NaN if unknown
 * @param medianDeliveryBitsPerS the median of the largest delivery rates that the program did not limit; NaN if a
 *     transfer has none
 * @param verdicts what limited the transfers, the most frequent verdict first
 * @param slowStart the median of the windows in each round trip; empty if a transfer left slow start
 */
public record ConnectionMetrics(
        long inSlowStart,
        double medianCwndSegments,
        double medianSegmentBytes,
        long retransmittedSegments,
        double busyNs,
        double receiveWindowLimited,
        double sendBufferLimited,
        double medianDeliveryBitsPerS,
        List<VerdictMetrics> verdicts,
        List<RoundMetrics> slowStart) {
    private static final String TITLE = "Connections";
    private static final String ID = "transfers.connection.";

    static final List<Metric<ConnectionMetrics>> METRICS = Stream.of(
                    List.of(
                            Metric.<ConnectionMetrics>count(
                                    ID + "inSlowStart",
                                    TITLE,
                                    "In slow start",
                                    "transfers",
                                    Combination.SUM,
                                    ConnectionMetrics::inSlowStart),
                            Metric.<ConnectionMetrics>count(
                                            ID + "medianCwndSegments",
                                            TITLE,
                                            "Median window",
                                            "segments",
                                            Combination.MEDIAN,
                                            ConnectionMetrics::medianCwndSegments)
                                    .higherIsBetter(),
                            Metric.<ConnectionMetrics>size(
                                            ID + "medianSegmentBytes",
                                            TITLE,
                                            "Median segment",
                                            Combination.MEDIAN,
                                            ConnectionMetrics::medianSegmentBytes)
                                    .higherIsBetter(),
                            Metric.<ConnectionMetrics>count(
                                    ID + "retransmittedSegments",
                                    TITLE,
                                    "Retransmitted",
                                    "segments",
                                    Combination.SUM,
                                    ConnectionMetrics::retransmittedSegments),
                            Metric.<ConnectionMetrics>time(
                                    ID + "busy",
                                    TITLE,
                                    "Time with data to send",
                                    Combination.SUM,
                                    ConnectionMetrics::busyNs),
                            limited(
                                    "receiveWindowLimited",
                                    "Limited by the receive window",
                                    ConnectionMetrics::receiveWindowLimited),
                            limited(
                                    "sendBufferLimited",
                                    "Limited by the send buffer",
                                    ConnectionMetrics::sendBufferLimited),
                            Metric.<ConnectionMetrics>rate(
                                    ID + "medianDelivery",
                                    TITLE,
                                    "Median delivery rate",
                                    Combination.MEDIAN,
                                    ConnectionMetrics::medianDeliveryBitsPerS)),
                    VerdictMetrics.METRICS.stream()
                            .map(metric -> metric.inFamily(ID + "verdicts.*.", ConnectionMetrics::verdictsById))
                            .toList(),
                    RoundMetrics.METRICS.stream()
                            .map(metric -> metric.inFamily(ID + "slowStart.*.", ConnectionMetrics::roundsById))
                            .toList())
            .flatMap(List::stream)
            .toList();

    private static Metric<ConnectionMetrics> limited(
            String name, String statistic, Metric.Getter<ConnectionMetrics> share) {
        return Metric.quotient(ID + name, TITLE, statistic, share, states -> states.busyNs / Units.NS_PER_US);
    }

    private static Map<String, VerdictMetrics> verdictsById(ConnectionMetrics states) {
        Map<String, VerdictMetrics> entries = new LinkedHashMap<>();
        states.verdicts.forEach(each -> entries.put(ID + "verdicts." + each.verdict.text() + ".", each));
        return entries;
    }

    private static Map<String, RoundMetrics> roundsById(ConnectionMetrics states) {
        Map<String, RoundMetrics> entries = new LinkedHashMap<>();
        states.slowStart.forEach(each -> entries.put(ID + "slowStart." + each.round + ".", each));
        return entries;
    }

    static ConnectionMetrics of(List<ConnectionStates> states) {
        long busyUs = sum(states, "busy_us");
        return new ConnectionMetrics(
                states.stream().filter(ConnectionStates::inSlowStart).count(),
                TransferMetrics.median(states, state -> (double) state.last("cwnd_segments")),
                TransferMetrics.median(states, state -> (double) state.last("mss_bytes")),
                sum(states, "retransmitted_segments"),
                Units.NS_PER_US * busyUs,
                share(sum(states, "rwnd_limited_us"), busyUs),
                share(sum(states, "sndbuf_limited_us"), busyUs),
                TransferMetrics.median(
                        states,
                        state -> state.deliveryRateBytesPerS() < 0
                                ? Double.NaN
                                : 8.0 * (double) state.deliveryRateBytesPerS()),
                VerdictMetrics.of(states),
                RoundMetrics.of(states));
    }

    private static long sum(List<ConnectionStates> states, String field) {
        return states.stream().mapToLong(state -> state.increase(field)).sum();
    }

    private static double share(long partUs, long busyUs) {
        return busyUs > 0 ? (double) partUs / (double) busyUs : Double.NaN;
    }

    /**
     * The transfers with one verdict.
     *
     * @param confidence of the interval of their rate
     * @param bitsPerS see {@link ProbeVerdict}
     */
    public record VerdictMetrics(TransferLimit verdict, int transfers, double confidence, Rate bitsPerS) {
        private static final String TITLE = "Limit of transfers";

        static final List<Metric<VerdictMetrics>> METRICS = Stream.concat(
                        Stream.of(
                                Metric.<VerdictMetrics>count(
                                                "transfers",
                                                TITLE,
                                                "Count",
                                                "transfers",
                                                Combination.SUM,
                                                VerdictMetrics::transfers)
                                        .higherIsBetter()
                                        .zeroIfAbsent(),
                                Metric.<VerdictMetrics>fraction(
                                                "confidence",
                                                TITLE,
                                                "Confidence",
                                                Combination.NOT_JUDGED,
                                                VerdictMetrics::confidence)
                                        .higherIsBetter(),
                                Metric.rate("rate.median", TITLE, "Median", Combination.MEDIAN, Rate::median)
                                        .within(VerdictMetrics::bitsPerS)),
                        Metric.within(VerdictMetrics::bitsPerS, Rate.ends("rate.", TITLE, "")).stream())
                .toList();

        private static List<VerdictMetrics> of(List<ConnectionStates> states) {
            Map<TransferLimit, List<ProbeVerdict>> byVerdict = states.stream()
                    .map(ConnectionStates::verdict)
                    .collect(Collectors.groupingBy(
                            ProbeVerdict::verdict, () -> new EnumMap<>(TransferLimit.class), Collectors.toList()));
            List<VerdictMetrics> metrics = new ArrayList<>();
            byVerdict.forEach((verdict, all) -> metrics.add(new VerdictMetrics(
                    verdict, all.size(), Interval.medianConfidence(all.size()), Rate.of(all, ProbeVerdict::bitsPerS))));
            metrics.sort(Comparator.comparingInt(VerdictMetrics::transfers).reversed());
            return List.copyOf(metrics);
        }
    }

    /**
     * The windows of transfers in one round trip of slow start.
     *
     * @param round its number from 0
     * @param medianCwndSegments the window
     * @param medianSentBytes bytes sent in all earlier round trips
     */
    public record RoundMetrics(int round, double medianCwndSegments, double medianSentBytes) {
        private static final String TITLE = "Slow start";

        static final List<Metric<RoundMetrics>> METRICS = List.of(
                Metric.count("round", TITLE, "Round trip", "rounds", Combination.MAX, RoundMetrics::round),
                Metric.<RoundMetrics>count(
                                "medianCwndSegments",
                                TITLE,
                                "Median window",
                                "segments",
                                Combination.MEDIAN,
                                RoundMetrics::medianCwndSegments)
                        .higherIsBetter(),
                Metric.<RoundMetrics>size(
                                "medianSentBytes",
                                TITLE,
                                "Median sent",
                                Combination.MEDIAN,
                                RoundMetrics::medianSentBytes)
                        .higherIsBetter());

        private static List<RoundMetrics> of(List<ConnectionStates> states) {
            int rounds = states.stream()
                    .mapToInt(state -> state.slowStart().size())
                    .min()
                    .orElse(0);
            List<RoundMetrics> metrics = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                int round = i;
                metrics.add(new RoundMetrics(
                        round,
                        TransferMetrics.median(states, state ->
                                (double) state.slowStart().get(round).cwndSegments()),
                        TransferMetrics.median(states, state ->
                                (double) state.slowStart().get(round).sentBytes())));
            }
            return List.copyOf(metrics);
        }
    }
}

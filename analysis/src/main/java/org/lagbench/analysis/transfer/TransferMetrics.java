package org.lagbench.analysis.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.analysis.transfer.Transfer.ConnectionStates;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/**
 * The metrics of the transfers of one run, or of several runs of one point pooled.
 *
 * @param transfers number of answered transfers, at least 1
 * @param transferBytes size of each
 * @param confidence of the intervals of the rates
 * @param medianElapsedNs the median Δt: from just before the first piece was sent until the reply was received
 * @param medianLatencyNs the median of half the smallest round trip
 * @param elapsedBitsPerS throughput 8 S/Δt, as in the Network Weather Service
 * @param latencySubtractedBitsPerS throughput 8 S/(Δt − latency), as in Yousaf, Welzl and Junaid (2007)
 * @param receiverBitsPerS the receiver's rate from its first receive call to its last, of the bytes before encoding
 * @param encodedBitsPerS the receiver's rate of the encoded bytes with their headers, if a codec encoded the transfers;
 *     else NaN
 * @param connection what the states of the connections show; null if a run did not record them
 * @param compression the times of compressed transfers; null if the pieces were packets
 */
public record TransferMetrics(
        int transfers,
        long transferBytes,
        double confidence,
        double medianElapsedNs,
        double medianLatencyNs,
        Rate elapsedBitsPerS,
        Rate latencySubtractedBitsPerS,
        Rate receiverBitsPerS,
        Rate encodedBitsPerS,
        @Nullable ConnectionMetrics connection,
        @Nullable CompressionMetrics compression) {
    private static final String TITLE = "Transfers";
    private static final String THROUGHPUT = "Throughput of transfers";

    /** The metrics of transfers. */
    public static final List<Metric<TransferMetrics>> METRICS = Stream.of(
                    List.of(
                            Metric.<TransferMetrics>count(
                                            "transfers.transfers",
                                            TITLE,
                                            "Count",
                                            "transfers",
                                            Combination.SUM,
                                            TransferMetrics::transfers)
                                    .higherIsBetter(),
                            Metric.<TransferMetrics>size(
                                            "transfers.transferBytes",
                                            TITLE,
                                            "Size",
                                            Combination.MIN,
                                            TransferMetrics::transferBytes)
                                    .higherIsBetter(),
                            Metric.<TransferMetrics>fraction(
                                            "transfers.confidence",
                                            TITLE,
                                            "Confidence",
                                            Combination.NOT_JUDGED,
                                            TransferMetrics::confidence)
                                    .higherIsBetter(),
                            Metric.<TransferMetrics>time(
                                    "transfers.medianElapsed",
                                    TITLE,
                                    "Median Δt",
                                    Combination.MEDIAN,
                                    TransferMetrics::medianElapsedNs),
                            Metric.<TransferMetrics>time(
                                    "transfers.medianLatency",
                                    TITLE,
                                    "Median latency",
                                    Combination.MEDIAN,
                                    TransferMetrics::medianLatencyNs)),
                    throughput("elapsed", "S/Δt", "S/Δt: ", Metric::main, TransferMetrics::elapsedBitsPerS),
                    throughput(
                            "latencySubtracted",
                            "S/(Δt − latency)",
                            "S/(Δt − latency): ",
                            Metric::compared,
                            TransferMetrics::latencySubtractedBitsPerS),
                    throughput(
                            "receiver",
                            "Receiver, first to last",
                            "Receiver: ",
                            Metric::compared,
                            TransferMetrics::receiverBitsPerS),
                    throughput(
                            "encoded",
                            "Encoded bytes",
                            "Encoded bytes: ",
                            UnaryOperator.identity(),
                            TransferMetrics::encodedBitsPerS),
                    Metric.within(TransferMetrics::connection, ConnectionMetrics.METRICS),
                    Metric.within(TransferMetrics::compression, CompressionMetrics.METRICS))
            .flatMap(List::stream)
            .toList();

    private static List<Metric<TransferMetrics>> throughput(
            String name,
            String statistic,
            String end,
            UnaryOperator<Metric<Rate>> median,
            Function<TransferMetrics, Rate> rate) {
        String id = "throughput." + name;
        return Metric.within(
                rate,
                Stream.concat(
                                Stream.of(median.apply(
                                        Metric.rate(id, THROUGHPUT, statistic, Combination.MEDIAN, Rate::median))),
                                Rate.ends(id + ".", THROUGHPUT, end).stream())
                        .toList());
    }

    /** The files of a run's directory that have the transfers, besides the stamps of their pieces. */
    public static final List<String> FILES = Transfer.FILES;

    /**
     * The rates of all transfers in bits per second; NaN if one has none.
     *
     * @param median estimator R-7
     * @param low the lower end of the median's interval
     * @param high its upper end
     */
    public record Rate(double median, double low, double high, double least, double most) {
        private static List<Metric<Rate>> ends(String id, String title, String beginning) {
            return List.of(
                    Metric.rate(id + "low", title, beginning + "Low", Combination.NOT_JUDGED, Rate::low),
                    Metric.rate(id + "high", title, beginning + "High", Combination.NOT_JUDGED, Rate::high),
                    Metric.rate(id + "minimum", title, beginning + "Min", Combination.MIN, Rate::least),
                    Metric.rate(id + "maximum", title, beginning + "Max", Combination.MAX, Rate::most));
        }

        private static <T> Rate of(List<T> transfers, ToDoubleFunction<T> rate) {
            double[] sorted = transfers.stream().mapToDouble(rate).sorted().toArray(); // sorting puts NaN last
            int last = sorted.length - 1;
            int rank = Interval.medianRank(sorted.length);
            return new Rate(Quantile.median(sorted), sorted[rank], sorted[last - rank], sorted[0], sorted[last]);
        }
    }

    /**
     * What limited the transfers, by the kernel's TCP_INFO.
     *
     * @param inSlowStart transfers that never left slow start
     * @param medianCwndSegments the median of the congestion windows at the end
     * @param medianSegmentBytes payload of a full segment
     * @param retransmittedSegments segments retransmitted, of all transfers
     * @param busyNs the time with data to send, of all transfers
     * @param receiveWindowLimited part of the time with data to send that the receiver's window limited, from 0 to 1;
     *     NaN if unknown
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

        private static ConnectionMetrics of(List<ConnectionStates> states) {
            long busyUs = sum(states, "busy_us");
            return new ConnectionMetrics(
                    states.stream().filter(ConnectionStates::inSlowStart).count(),
                    median(states, state -> (double) state.last("cwnd_segments")),
                    median(states, state -> (double) state.last("mss_bytes")),
                    sum(states, "retransmitted_segments"),
                    Units.NS_PER_US * busyUs,
                    share(sum(states, "rwnd_limited_us"), busyUs),
                    share(sum(states, "sndbuf_limited_us"), busyUs),
                    median(
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
                        median(states, state ->
                                (double) state.slowStart().get(round).cwndSegments()),
                        median(states, state ->
                                (double) state.slowStart().get(round).sentBytes())));
            }
            return List.copyOf(metrics);
        }
    }

    /**
     * Computes the metrics of runs of one point.
     *
     * @param runs the directories of the runs with their records
     * @return null if no transfer was answered
     */
    public static @Nullable TransferMetrics of(Map<Path, RunRecord> runs) throws LagbenchException {
        List<Transfer> transfers = new ArrayList<>();
        for (Map.Entry<Path, RunRecord> run : runs.entrySet()) {
            transfers.addAll(Transfer.read(run.getKey(), run.getValue()));
        }
        return transfers.isEmpty() ? null : of(transfers, CompressionMetrics.of(runs));
    }

    /** Reads the answered transfers of a run as probes of the path: those with TCP_INFO samples of their connection. */
    public static List<Probe> probes(Path run, RunRecord record) throws LagbenchException {
        List<Probe> probes = new ArrayList<>();
        for (Transfer transfer : Transfer.read(run, record)) {
            ConnectionStates states = transfer.states();
            if (states != null) {
                probes.add(new Probe(transfer.bytes(), (double) transfer.elapsedNs(), states.verdict()));
            }
        }
        return probes;
    }

    private static TransferMetrics of(List<Transfer> transfers, @Nullable CompressionMetrics compression) {
        List<ConnectionStates> states = transfers.stream()
                .map(Transfer::states)
                .filter(Objects::nonNull)
                .toList();
        return new TransferMetrics(
                transfers.size(),
                transfers.get(0).bytes(),
                Interval.medianConfidence(transfers.size()),
                median(transfers, transfer -> (double) transfer.elapsedNs()),
                median(transfers, Transfer::latencyNs),
                Rate.of(transfers, Transfer::elapsedBitsPerS),
                Rate.of(transfers, Transfer::latencySubtractedBitsPerS),
                Rate.of(transfers, Transfer::receiverBitsPerS),
                Rate.of(transfers, Transfer::encodedBitsPerS),
                states.size() < transfers.size() ? null : ConnectionMetrics.of(states),
                compression);
    }

    private static <T> double median(Collection<T> values, ToDoubleFunction<T> value) {
        return Quantile.median(values.stream().mapToDouble(value).toArray());
    }
}

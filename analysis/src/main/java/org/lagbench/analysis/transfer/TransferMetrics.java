package org.lagbench.analysis.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.analysis.transfer.Transfer.ConnectionStates;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;

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
        static List<Metric<Rate>> ends(String id, String title, String beginning) {
            return List.of(
                    Metric.rate(id + "low", title, beginning + "Low", Combination.NOT_JUDGED, Rate::low),
                    Metric.rate(id + "high", title, beginning + "High", Combination.NOT_JUDGED, Rate::high),
                    Metric.rate(id + "minimum", title, beginning + "Min", Combination.MIN, Rate::least),
                    Metric.rate(id + "maximum", title, beginning + "Max", Combination.MAX, Rate::most));
        }

        static <T> Rate of(List<T> transfers, ToDoubleFunction<T> rate) {
            double[] sorted = transfers.stream().mapToDouble(rate).sorted().toArray(); // sorting puts NaN last
            int last = sorted.length - 1;
            int rank = Interval.medianRank(sorted.length);
            return new Rate(Quantile.median(sorted), sorted[rank], sorted[last - rank], sorted[0], sorted[last]);
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

    static <T> double median(Collection<T> values, ToDoubleFunction<T> value) {
        return Quantile.median(values.stream().mapToDouble(value).toArray());
    }
}

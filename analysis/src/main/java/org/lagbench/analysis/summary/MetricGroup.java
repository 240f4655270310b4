package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.ObservationPrice;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.media.MediaMetrics;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.SeriesMetrics.Shown;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;

/**
 * Metrics of one run, or of several runs pooled, that are computed together. The groups are declared here and nowhere
 * else, in the order of files.
 *
 * @param <T> the type of the metrics
 */
public final class MetricGroup<T> {
    private static final List<MetricGroup<?>> DECLARED = new ArrayList<>();

    /** Number of runs. */
    public static final MetricGroup<Integer> RUNS = always(
            "runs",
            List.of(Metric.<Integer>count("runs", "Runs", "Count", "runs", Combination.SUM, runs -> runs)
                    .higherIsBetter()),
            runs -> runs.open().size());

    /** Packet counts. */
    public static final MetricGroup<RunPacketCounts> PACKETS =
            always("packets", RunPacketCounts.METRICS, PooledRuns::packets);

    /** How fast packets were sent and received. */
    public static final MetricGroup<Rates> RATES = always("rates", Rates.METRICS, Rates::of);

    /** Received packets that were not of the run; null if the receiver did not report them. */
    public static final MetricGroup<@Nullable Long> FOREIGN =
            always("foreign", packets("foreign", "Packets of others"), runs -> runs.sum(RunRecord.Counts::foreign));

    /** Packets that the receiving host dropped because a buffer was full; null if it did not report them. */
    public static final MetricGroup<@Nullable Long> KERNEL_DROPS = always(
            "kernelDrops", packets("kernelDrops", "Kernel drops"), runs -> runs.sum(RunRecord.Counts::kernelDrops));

    /** Lost packets that arrived damaged; null if a run has no receiver's record. */
    public static final MetricGroup<@Nullable Long> DAMAGED =
            always("damaged", packets("damaged", "Damaged packets"), PooledRuns::damaged);

    /**
     * Lost packets whose drop by the receiving kernel was recorded, by its reason; none without the record of drops.
     */
    public static final MetricGroup<Map<String, Long>> RECORDED_DROPS = always(
            "recordedDrops",
            List.of(Metric.packetsByName("recordedDrops.", "Kernel drops", "Recorded for one reason", drops -> drops)),
            PooledRuns::recordedDrops);

    /** Packets that did not leave a host, and those that the network rejected; null if there were none. */
    public static final MetricGroup<@Nullable FailedSends> FAILED_SENDS =
            always("failedSends", FailedSends.METRICS, FailedSends::of);

    /** The MTU of the path, and the fragments of a packet; null if it is unknown. */
    public static final MetricGroup<@Nullable PathMtu> PATH_MTU = always("pathMtu", PathMtu.METRICS, PathMtu::of);

    /**
     * Packets that were overwritten in a bus controller's receive ring before they were read; null for other
     * transports.
     */
    public static final MetricGroup<@Nullable Long> OVERWRITTEN =
            always("overwritten", packets("overwritten", "Overwritten packets"), PooledRuns::overwritten);

    /** Where the lost packets were lost: one place for each. */
    public static final MetricGroup<LossPlaces> LOSS_PLACES =
            always("lossPlaces", LossPlaces.METRICS, PooledRuns::lossPlaces);

    /** What the sending kernels retransmitted over TCP; null for other transports and if a run did not record it. */
    public static final MetricGroup<@Nullable Retransmission> RETRANSMISSIONS =
            always("retransmissions", Retransmission.METRICS, Retransmission::of);

    /** The socket buffers that the kernels granted. */
    public static final MetricGroup<Map<BufferGrant.BufferSide, BufferGrant>> BUFFERS =
            always("buffers", BufferGrant.METRICS, BufferGrant::of);

    /** The maximum number of packets per system call, which share their stamps; 1 if it was not recorded. */
    public static final MetricGroup<Long> PACKETS_PER_CALL = always(
            "packetsPerCall",
            List.of(Metric.count(
                    "packetsPerCall",
                    "Packets per system call",
                    "Max",
                    "packets",
                    Combination.MAX,
                    packets -> packets)),
            PooledRuns::packetsPerCall);

    /** The effect of the clocks on lags. */
    public static final MetricGroup<ClockEffect> CLOCK = always("clock", ClockEffect.METRICS, PooledRuns::clock);

    /** The statistics of each series that the runs have: of the transmit lag, and on request of all others. */
    public static final MetricGroup<Map<PacketDelay, SeriesStatistics>> SERIES =
            always("series", series(), PooledRuns::series);

    /** The transmit lag corrected by each estimator; none unless requested and estimated for every run. */
    public static final MetricGroup<List<CorrectedLag>> CORRECTED =
            always("corrected", CorrectedLag.METRICS, runs -> CorrectedLag.of(runs.open()));

    /** The lags of the first packets and of the rest, which show whether the runs were warm. */
    public static final MetricGroup<WarmUp> WARM_UP = always("warmUp", WarmUp.METRICS, PooledRuns::warmUp);

    /** The multimedia metrics. */
    public static final MetricGroup<MediaMetrics> MEDIA = onRequest(
            "media",
            MediaMetrics.METRICS,
            runs -> MediaMetrics.of(
                    runs.joined(), runs.point().paceIntervalNs(), runs.point().paceBurst()));

    /** The cost of repairing losses, and the losses that remain. */
    public static final MetricGroup<Recovery> RECOVERY = onRequest("recovery", Recovery.METRICS, Recovery::of);

    /** The playout budget. */
    public static final MetricGroup<PlayoutBudget> PLAYOUT =
            onRequest("playout", PlayoutBudget.METRICS, runs -> PlayoutBudget.of(runs.joined()));

    /**
     * The ledgers of the lags, what made the slow packets slow, and the causes of losses: of the runs whose events are
     * not damaged; null if one did not record any.
     */
    public static final MetricGroup<@Nullable LedgerMetrics> LEDGER =
            onRequest("ledger", LedgerMetrics.METRICS, PooledRuns::ledger);

    /**
     * What observation adds to the lag and to CPU time, of the runs that were observed in windows; null without any.
     */
    public static final MetricGroup<@Nullable ObservationPrice> PRICE =
            always("price", ObservationPrice.METRICS, PooledRuns::price);

    /** The fill levels of the socket buffers, of the runs whose samples are not damaged; null if none has any. */
    public static final MetricGroup<@Nullable BufferMetrics> OCCUPANCY =
            onRequest("occupancy", BufferMetrics.METRICS, PooledRuns::occupancy);

    /** The metrics of the replies; null if packets are not answered. */
    public static final MetricGroup<@Nullable RoundTrips> ROUND_TRIPS =
            always("roundTrips", RoundTrips.METRICS, RoundTrips::of);

    /** The throughput of transfers, of the runs whose files of transfers are not damaged; null for other traffic. */
    public static final MetricGroup<@Nullable TransferMetrics> TRANSFERS =
            onRequest("transfers", TransferMetrics.METRICS, PooledRuns::transfers);

    /** How many bytes the JVMs allocate per packet; null if the engine does not measure it. */
    public static final MetricGroup<@Nullable Allocation> ALLOCATION =
            always("allocation", Allocation.METRICS, Allocation::of);

    /** All groups of a run in the order of files. */
    public static final List<MetricGroup<?>> ALL = Collections.unmodifiableList(DECLARED);

    /** The effect of concurrent streams on the stream of a point; null without such. No run has it. */
    public static final MetricGroup<@Nullable StreamEffect> STREAMS =
            new MetricGroup<>("streams", true, StreamEffect.METRICS, runs -> null);

    /** The losses of each kind, which follow from the packets and their replies. */
    public static final MetricGroup<Losses> LOSS = new MetricGroup<>("loss", false, Losses.METRICS, runs -> null);

    /** All groups that have metrics, in the order of files. */
    public static final List<MetricGroup<?>> WITH_METRICS =
            Stream.concat(ALL.stream(), Stream.of(LOSS, STREAMS)).toList();

    private static final Map<String, MetricGroup<?>> BY_METRIC = byMetric();

    private final String id;
    private final boolean isOnRequest;
    private final List<Metric<T>> metrics;
    private final Computation<T> computation;

    /** Computes the metrics of runs; null if they are unknown. */
    @FunctionalInterface
    interface Computation<T> {
        @Nullable
        T of(PooledRuns runs) throws LagbenchException;
    }

    private MetricGroup(String id, boolean isOnRequest, List<Metric<T>> metrics, Computation<T> computation) {
        this.id = id;
        this.isOnRequest = isOnRequest;
        this.metrics = List.copyOf(metrics);
        this.computation = computation;
    }

    private static <T> MetricGroup<T> always(String id, List<Metric<T>> metrics, Computation<T> computation) {
        return new MetricGroup<>(id, false, metrics, computation).declared();
    }

    private static <T> MetricGroup<T> onRequest(String id, List<Metric<T>> metrics, Computation<T> computation) {
        return new MetricGroup<>(id, true, metrics, computation).declared();
    }

    private MetricGroup<T> declared() {
        DECLARED.add(this);
        return this;
    }

    /** Returns the metrics of the transmit lag and the other series. */
    private static List<Metric<Map<PacketDelay, SeriesStatistics>>> series() {
        return Arrays.stream(PacketDelay.values())
                .flatMap(series ->
                        Metric.within((Map<PacketDelay, SeriesStatistics> all) -> all.get(series), metrics(series))
                                .stream())
                .toList();
    }

    private static List<Metric<SeriesStatistics>> metrics(PacketDelay series) {
        Shown shown =
                switch (series) {
                    case TRANSMIT_LAG -> Shown.MAIN;
                    case RECEIVE_DELAY -> Shown.COMPARED;
                    default -> Shown.NOWHERE;
                };
        UnaryOperator<Metric<SeriesStatistics>> clocks =
                switch (series) {
                    case TRANSMIT_LAG -> lag -> lag.byTwoClocks().notNegative();
                    case LAG_FROM_SCHEDULE -> Metric::byTwoClocks;
                    default -> UnaryOperator.identity();
                };
        return SeriesMetrics.of(series.id() + ".", series.title(), shown, clocks);
    }

    /** Returns a metric of a group that is a number of packets. */
    private static List<Metric<Long>> packets(String id, String title) {
        return List.of(Metric.packets(id, title, "Count", packets -> packets));
    }

    private static Map<String, MetricGroup<?>> byMetric() {
        Map<String, MetricGroup<?>> groups = new HashMap<>();
        WITH_METRICS.forEach(group -> group.metrics.forEach(metric -> groups.put(metric.declaredId(), group)));
        return groups;
    }

    /** Returns the group that has the values of a metric; empty for a metric of pairs of hosts. */
    static Optional<MetricGroup<?>> find(Metric<?> metric) {
        return Optional.ofNullable(BY_METRIC.get(metric.declaredId()));
    }

    /** Returns the groups that have the numbers of metrics. */
    public static Set<MetricGroup<?>> needs(Collection<Metric<?>> metrics) {
        return metrics.stream().flatMap(metric -> find(metric).stream()).collect(Collectors.toSet());
    }

    /** Returns whether points can have a metric; others are of the pairs of a matrix, or of a host. */
    public static boolean isOfPoints(Metric<?> metric) {
        return find(metric).isPresent();
    }

    /** Returns the name, for messages. */
    String id() {
        return id;
    }

    /** Returns whether it is computed only on request, because it takes extra passes through the captures. */
    boolean isOnRequest() {
        return isOnRequest;
    }

    /** Returns the metrics that it has the values of. */
    public List<Metric<T>> metrics() {
        return metrics;
    }

    @Nullable
    T compute(PooledRuns runs) throws LagbenchException {
        return computation.of(runs);
    }

    @Override
    public String toString() {
        return id;
    }
}

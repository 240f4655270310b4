package org.lagbench.analysis.summary;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.SeriesMetrics.Shown;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.RunRecord;

/**
 * Metrics of one run, or of several runs pooled, that are computed together. Those of the base are declared here; those
 * of a feature by a {@link Source}, which {@code META-INF/services} names. {@link MetricGroups} finds all.
 *
 * @param <T> the type of the metrics
 */
public final class MetricGroup<T> implements Registry.Named {
    /** Number of runs. */
    public static final MetricGroup<Integer> RUNS = always(
            "runs",
            0,
            List.of(Metric.<Integer>count("runs", "Runs", "Count", "runs", Combination.SUM, runs -> runs)
                    .higherIsBetter()),
            runs -> runs.open().size());

    /** Packet counts. */
    public static final MetricGroup<RunPacketCounts> PACKETS =
            always("packets", 10, RunPacketCounts.METRICS, PooledRuns::packets);

    /** How fast packets were sent and received. */
    public static final MetricGroup<Rates> RATES = always("rates", 20, Rates.METRICS, Rates::of);

    /** Received packets that were not of the run; null if the receiver did not report them. */
    public static final MetricGroup<@Nullable Long> FOREIGN =
            always("foreign", 30, packets("foreign", "Packets of others"), runs -> runs.sum(RunRecord.Counts::foreign));

    /** Packets that the receiving host dropped because a buffer was full; null if it did not report them. */
    public static final MetricGroup<@Nullable Long> KERNEL_DROPS = always(
            "kernelDrops", 40, packets("kernelDrops", "Kernel drops"), runs -> runs.sum(RunRecord.Counts::kernelDrops));

    /** Lost packets that arrived damaged; null if a run has no receiver's record. */
    public static final MetricGroup<@Nullable Long> DAMAGED =
            always("damaged", 50, packets("damaged", "Damaged packets"), PooledRuns::damaged);

    /**
     * Lost packets whose drop by the receiving kernel was recorded, by its reason; none without the record of drops.
     */
    public static final MetricGroup<Map<String, Long>> RECORDED_DROPS = always(
            "recordedDrops",
            60,
            List.of(Metric.packetsByName("recordedDrops.", "Kernel drops", "Recorded for one reason", drops -> drops)),
            PooledRuns::recordedDrops);

    /** Packets that did not leave a host, and those that the network rejected; null if there were none. */
    public static final MetricGroup<@Nullable FailedSends> FAILED_SENDS =
            always("failedSends", 70, FailedSends.METRICS, FailedSends::of);

    /** The MTU of the path, and the fragments of a packet; null if it is unknown. */
    public static final MetricGroup<@Nullable PathMtu> PATH_MTU = always("pathMtu", 80, PathMtu.METRICS, PathMtu::of);

    /**
     * Packets that were overwritten in a bus controller's receive ring before they were read; null for other
     * transports.
     */
    public static final MetricGroup<@Nullable Long> OVERWRITTEN =
            always("overwritten", 90, packets("overwritten", "Overwritten packets"), PooledRuns::overwritten);

    /** Where the lost packets were lost: one place for each. */
    public static final MetricGroup<LossPlaces> LOSS_PLACES =
            always("lossPlaces", 100, LossPlaces.METRICS, PooledRuns::lossPlaces);

    /** What the sending kernels retransmitted over TCP; null for other transports and if a run did not record it. */
    public static final MetricGroup<@Nullable Retransmission> RETRANSMISSIONS =
            always("retransmissions", 110, Retransmission.METRICS, Retransmission::of);

    /** The socket buffers that the kernels granted. */
    public static final MetricGroup<Map<BufferGrant.BufferSide, BufferGrant>> BUFFERS =
            always("buffers", 120, BufferGrant.METRICS, BufferGrant::of);

    /** The maximum number of packets per system call, which share their stamps; 1 if it was not recorded. */
    public static final MetricGroup<Long> PACKETS_PER_CALL = always(
            "packetsPerCall",
            130,
            List.of(Metric.count(
                    "packetsPerCall",
                    "Packets per system call",
                    "Max",
                    "packets",
                    Combination.MAX,
                    packets -> packets)),
            PooledRuns::packetsPerCall);

    /** The effect of the clocks on lags. */
    public static final MetricGroup<ClockEffect> CLOCK = always("clock", 140, ClockEffect.METRICS, PooledRuns::clock);

    /** The statistics of each series that the runs have: of the transmit lag, and on request of all others. */
    public static final MetricGroup<Map<PacketDelay, SeriesStatistics>> SERIES =
            always("series", 150, series(), PooledRuns::series);

    /** The transmit lag corrected by each estimator; none unless requested and estimated for every run. */
    public static final MetricGroup<List<CorrectedLag>> CORRECTED =
            always("corrected", 160, CorrectedLag.METRICS, runs -> CorrectedLag.of(runs.open()));

    /** The lags of the first packets and of the rest, which show whether the runs were warm. */
    public static final MetricGroup<WarmUp> WARM_UP = always("warmUp", 170, WarmUp.METRICS, PooledRuns::warmUp);

    /** The cost of repairing losses, and the losses that remain. */
    public static final MetricGroup<Recovery> RECOVERY = onRequest("recovery", 190, Recovery.METRICS, Recovery::of);

    /** The fill levels of the socket buffers, of the runs whose samples are not damaged; null if none has any. */
    public static final MetricGroup<@Nullable BufferMetrics> OCCUPANCY =
            onRequest("occupancy", 230, BufferMetrics.METRICS, PooledRuns::occupancy);

    /** The metrics of the replies; null if packets are not answered. */
    public static final MetricGroup<@Nullable RoundTrips> ROUND_TRIPS =
            always("roundTrips", 240, RoundTrips.METRICS, RoundTrips::of);

    /** How many bytes the JVMs allocate per packet; null if the engine does not measure it. */
    public static final MetricGroup<@Nullable Allocation> ALLOCATION =
            always("allocation", 260, Allocation.METRICS, Allocation::of);

    /** The effect of concurrent streams on the stream of a point; null without such. No run has it. */
    public static final MetricGroup<@Nullable StreamEffect> STREAMS =
            new MetricGroup<>("streams", 1_010, true, StreamEffect.METRICS, runs -> null);

    /** The losses of each kind, which follow from the packets and their replies. */
    public static final MetricGroup<Losses> LOSS =
            new MetricGroup<>("loss", 1_000, false, Losses.METRICS, runs -> null);

    private final String id;
    private final int order;
    private final boolean isOnRequest;
    private final List<Metric<T>> metrics;
    private final Computation<T> computation;

    /** Where groups are found. Implementations have a public constructor without arguments. */
    public interface Source {
        /** Returns the groups of a feature. */
        List<MetricGroup<?>> groups();

        /** Returns what the metrics mean that no other source explains. */
        default List<MetricMeaning> meanings() {
            return List.of();
        }
    }

    /** Computes the metrics of runs; null if they are unknown. */
    @FunctionalInterface
    public interface Computation<T> {
        @Nullable
        T of(PooledRuns runs) throws LagbenchException;
    }

    private MetricGroup(
            String id, int order, boolean isOnRequest, List<Metric<T>> metrics, Computation<T> computation) {
        this.id = id;
        this.order = order;
        this.isOnRequest = isOnRequest;
        this.metrics = List.copyOf(metrics);
        this.computation = computation;
    }

    /**
     * Declares a group that is always computed.
     *
     * @param id for messages
     * @param order the position in files, and of its computation: it reads groups of lower positions
     */
    public static <T> MetricGroup<T> always(String id, int order, List<Metric<T>> metrics, Computation<T> computation) {
        return new MetricGroup<>(id, order, false, metrics, computation);
    }

    /**
     * Declares a group likewise that is computed only on request, because it takes extra passes through the captures.
     */
    public static <T> MetricGroup<T> onRequest(
            String id, int order, List<Metric<T>> metrics, Computation<T> computation) {
        return new MetricGroup<>(id, order, true, metrics, computation);
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

    /** Returns the id. */
    @Override
    public String name() {
        return id;
    }

    @Override
    public int order() {
        return order;
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

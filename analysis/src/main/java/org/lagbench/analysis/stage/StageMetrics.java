package org.lagbench.analysis.stage;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.stage.StagedRun.PacketStages;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The stages of the packets of one run, or of several pooled.
 *
 * @param packets number of packets with all stages
 * @param incomplete packets that arrived but have no stamp of some stage; they are excluded
 * @param lag the lag of these packets
 * @param stages each stage, in order
 * @param compositions the compositions of the quantiles {@code median}, {@code q95} and {@code q99} of the lag, by name
 * @param occupancy the fill levels of buffers; null if they were not recorded
 */
public record StageMetrics(
        long packets,
        long incomplete,
        StageStatistics lag,
        Map<Stage, StageStatistics> stages,
        Map<String, QuantileComposition> compositions,
        @Nullable BufferMetrics occupancy) {

    private static final String STAGES = "stages.stages.";
    private static final String COMPOSITIONS = "stages.compositions.";
    private static final String OF_QUANTILE = "Composition of a quantile";

    /** The metrics of stages. */
    public static final List<Metric<StageMetrics>> METRICS = Stream.of(
                    List.of(
                            Metric.packets("stages.packets", "Stages", "Packets", StageMetrics::packets)
                                    .higherIsBetter(),
                            Metric.packets("stages.incomplete", "Stages", "Incomplete", StageMetrics::incomplete)),
                    Metric.within(StageMetrics::lag, StageStatistics.metrics("stages.lag.", "Lag of all stages")),
                    StageStatistics.metrics("", "Stage").stream()
                            .map(metric -> metric.inFamily(
                                    STAGES + "*.",
                                    (StageMetrics all) -> Metric.entries(STAGES, all.stages, Stage::id, ".")))
                            .toList(),
                    QuantileComposition.METRICS.stream()
                            .map(metric -> metric.inFamily(COMPOSITIONS + "*.", StageMetrics::compositionsById))
                            .toList(),
                    List.of(Metric.<Double>time("", OF_QUANTILE, "Mean", Combination.MEDIAN, ns -> ns)
                            .inFamily(COMPOSITIONS + "*.mean.*", StageMetrics::meansById)),
                    Metric.within(StageMetrics::occupancy, BufferMetrics.METRICS))
            .flatMap(List::stream)
            .toList();

    private static Map<String, QuantileComposition> compositionsById(StageMetrics all) {
        return Metric.entries(COMPOSITIONS, all.compositions, quantile -> quantile, ".");
    }

    private static Map<String, Double> meansById(StageMetrics all) {
        Map<String, Double> means = new LinkedHashMap<>();
        compositionsById(all)
                .forEach((beginning, composition) ->
                        means.putAll(Metric.entries(beginning + "mean.", composition.meanNs, Stage::id, "")));
        return means;
    }

    /**
     * Computes the stages of runs that have the same stages, in about 30 passes.
     *
     * @param runs at least one
     */
    public static StageMetrics of(List<StagedRun> runs, @Nullable BufferMetrics occupancy) throws LagbenchException {
        List<Stage> runStages = runs.get(0).stages();
        SeriesStatistics lag = SeriesStatistics.of(values(runs, PacketStages::lagNs));
        Map<Stage, StageStatistics> stages = new EnumMap<>(Stage.class);
        for (Stage stage : runStages) {
            stages.put(stage, StageStatistics.of(SeriesStatistics.of(values(runs, packet -> packet.ns(stage)))));
        }
        long incomplete = 0;
        List<Band> bands = List.of(
                new Band(50, lag.medianNs()),
                new Band(95, lag.withoutQ95().quantileNs()),
                new Band(99, lag.withoutQ99().quantileNs()));
        for (StagedRun run : runs) {
            incomplete += run.forEach(packet -> bands.forEach(band -> band.accept(packet)));
        }
        Map<String, QuantileComposition> compositions = new LinkedHashMap<>();
        for (Band band : bands) {
            compositions.put(band.percent == 50 ? "median" : "q" + band.percent, band.composition(runStages));
        }
        return new StageMetrics(
                lag.n(),
                incomplete,
                StageStatistics.of(lag),
                Collections.unmodifiableMap(stages),
                Collections.unmodifiableMap(compositions),
                occupancy);
    }

    private static LongValues values(List<StagedRun> runs, ToLongFunction<PacketStages> value) {
        return consumer -> {
            for (StagedRun run : runs) {
                run.forEach(packet -> consumer.accept(value.applyAsLong(packet)));
            }
        };
    }

    /** The packets whose lag is near a quantile. */
    private static final class Band {
        private final int percent;
        private final double lagNs;
        private final double halfWidthNs;
        private final long[] sumsNs = new long[Stage.values().length];
        private long packets;

        Band(int percent, double lagNs) {
            this.percent = percent;
            this.lagNs = lagNs;
            this.halfWidthNs = Math.abs(lagNs) * QuantileComposition.BAND_PERMILLE / 1000;
        }

        void accept(PacketStages packet) {
            if (Math.abs((double) packet.lagNs() - lagNs) <= halfWidthNs) {
                packets++;
                packet.addTo(sumsNs);
            }
        }

        QuantileComposition composition(List<Stage> stages) {
            Map<Stage, Double> means = new EnumMap<>(Stage.class);
            for (Stage stage : stages) {
                if (stage != Stage.APPLICATION) {
                    double sum = sumsNs[stage.place()];
                    means.put(stage, packets == 0 ? Double.NaN : sum / packets);
                }
            }
            return new QuantileComposition(percent, lagNs, packets, Collections.unmodifiableMap(means));
        }
    }

    /**
     * The composition of a quantile of lag: the mean of each stage over the packets with nearly this lag, so that the
     * stages nearly add up to it.
     *
     * @param percent the quantile: 50, 95 or 99
     * @param lagNs its value in ns, estimator R-7, over the packets with all stages
     * @param packets number of packets within the band; if 0, the means are NaN
     * @param meanNs mean of each stage of the lag in ns
     */
    public record QuantileComposition(int percent, double lagNs, long packets, Map<Stage, Double> meanNs) {
        static final List<Metric<QuantileComposition>> METRICS = List.of(
                Metric.time("lag", OF_QUANTILE, "Lag", Combination.MEDIAN, QuantileComposition::lagNs),
                Metric.packets("packets", OF_QUANTILE, "Packets", QuantileComposition::packets)
                        .higherIsBetter());

        /** Half the width of the band, in thousandths of the quantile. */
        public static final int BAND_PERMILLE = 5;

        /** Returns the sum of the stages in ns. */
        public double sumNs() {
            return meanNs.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /**
     * How long packets were in one stage, in ns.
     *
     * @param meanNs mean
     * @param medianNs median, estimator R-7
     * @param q95Ns 95 % quantile
     * @param q99Ns 99 % quantile
     */
    public record StageStatistics(double meanNs, double medianNs, double q95Ns, double q99Ns) {
        static List<Metric<StageStatistics>> metrics(String id, String title) {
            return List.of(
                    Metric.time(id + "mean", title, "Mean", Combination.MEDIAN, StageStatistics::meanNs),
                    Metric.time(id + "median", title, "Median", Combination.MEDIAN, StageStatistics::medianNs),
                    Metric.time(id + "q95", title, "Q95", Combination.MEDIAN, StageStatistics::q95Ns),
                    Metric.time(id + "q99", title, "Q99", Combination.MEDIAN, StageStatistics::q99Ns));
        }

        static StageStatistics of(SeriesStatistics series) {
            return new StageStatistics(
                    series.meanNs(),
                    series.medianNs(),
                    series.withoutQ95().quantileNs(),
                    series.withoutQ99().quantileNs());
        }
    }
}

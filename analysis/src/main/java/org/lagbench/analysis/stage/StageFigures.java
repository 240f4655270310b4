package org.lagbench.analysis.stage;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * Where the time of packets went, of one run or of several pooled.
 *
 * @param packets how many packets it is of
 * @param incomplete packets that came and of which not every stamp is known; they are left out
 * @param lag the lag of these packets
 * @param stages each stage, in their order
 * @param compositions what the quantiles {@code median}, {@code q95} and {@code q99} of the lag are made of, by name
 * @param occupancy how full buffers were; null where that was not recorded
 */
public record StageFigures(
        long packets,
        long incomplete,
        StageStatistics lag,
        Map<Stage, StageStatistics> stages,
        Map<String, QuantileComposition> compositions,
        @Nullable BufferFigures occupancy) {

    /**
     * Of runs whose packets went through the same stages. Goes through them some 30 times; memory does not grow with
     * them.
     *
     * @param runs at least one
     * @throws LagbenchException if a file cannot be read
     */
    public static StageFigures of(List<StagedRun> runs, @Nullable BufferFigures occupancy) throws LagbenchException {
        SeriesStatistics lag = SeriesStatistics.of(values(runs, null));
        Map<Stage, StageStatistics> statistics = new EnumMap<>(Stage.class);
        for (Stage stage : runs.get(0).stages()) {
            statistics.put(stage, StageStatistics.of(SeriesStatistics.of(values(runs, stage))));
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
            compositions.put(
                    band.percent == 50 ? "median" : "q" + band.percent,
                    band.composition(runs.get(0).stages()));
        }
        return new StageFigures(
                lag.n(),
                incomplete,
                StageStatistics.of(lag),
                Collections.unmodifiableMap(statistics),
                Collections.unmodifiableMap(compositions),
                occupancy);
    }

    private static LongValues values(List<StagedRun> runs, @Nullable Stage stage) {
        return consumer -> {
            for (StagedRun run : runs) {
                run.forEach(packet -> consumer.accept(stage == null ? packet.lagNs() : packet.ns(stage)));
            }
        };
    }

    /** The packets whose lag is near a quantile. */
    private static final class Band {
        private static final Stage[] STAGES = Stage.values();

        private final int percent;
        private final double lagNs;
        private final double halfWidthNs;
        private final long[] sumsNs = new long[STAGES.length];
        private long packets;

        Band(int percent, double lagNs) {
            this.percent = percent;
            this.lagNs = lagNs;
            this.halfWidthNs = Math.abs(lagNs) * QuantileComposition.BAND_PERMILLE / 1000;
        }

        void accept(PacketStages packet) {
            double lag = packet.lagNs();
            if (Math.abs(lag - lagNs) <= halfWidthNs) {
                packets++;
                for (Stage stage : STAGES) {
                    sumsNs[stage.place()] += packet.ns(stage);
                }
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
}

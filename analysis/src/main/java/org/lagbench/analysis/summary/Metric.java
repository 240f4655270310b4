package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.transfer.TransferFigures;

/**
 * A statistic of a run by which points are compared.
 *
 * @param id its name in files: "lag.median"
 * @param title the measured quantity, for tables: "Transmit lag"
 * @param figure which figure of it: "Median"
 * @param unit of the values: "µs"
 * @param smallerIsBetter whether smaller values are better
 * @param needsCommonClock whether the values depend on the difference of two clocks
 * @param isMain whether it stands for the quantity where only one figure is shown
 * @param reader reads the value of a run
 */
public record Metric(
        String id,
        String title,
        String figure,
        String unit,
        boolean smallerIsBetter,
        boolean needsCommonClock,
        boolean isMain,
        Reader reader) {
    private static final String US = "µs";

    private static final String MBIT_S = "Mbit/s";

    private static final double BITS_PER_MBIT = 1e6;

    private static final double NS_PER_US = 1e3;
    private static final double BITS_PER_BYTE = 8;

    /** Reads the value of a run; NaN if the run has none. */
    @FunctionalInterface
    public interface Reader {
        double read(PointKey point, Figures figures);
    }

    /** Returns the statistics of a series of durations; null if a run has none. */
    @FunctionalInterface
    private interface Durations {
        @Nullable
        SeriesStatistics of(Figures figures);
    }

    /** Returns all metrics in the order of tables. */
    public static List<Metric> all() {
        List<Metric> all = new ArrayList<>();
        all.addAll(ofDurations("roundTrip", "Round trip", false, true, figures -> {
            RoundTripFigures answers = figures.roundTrips();
            return answers == null ? null : answers.roundTrip();
        }));
        all.addAll(ofSeries(Series.TRANSMIT_LAG, true));
        all.addAll(ofSeries(Series.RECEIVE_DELAY, false));
        all.add(new Metric("receiveRate", "Receive rate", "Mean", MBIT_S, false, false, true, Metric::receiveMbitPerS));
        all.add(ofTransfers("elapsed", "S/Δt", true, TransferFigures::elapsedBitsPerS));
        all.add(ofTransfers(
                "latencySubtracted", "S/(Δt − latency)", false, TransferFigures::latencySubtractedBitsPerS));
        all.add(ofTransfers("receiver", "Receiver, first to last", false, TransferFigures::receiverBitsPerS));
        return all;
    }

    /** Returns the median of a run's transfers by one formula. */
    private static Metric ofTransfers(
            String formula, String figure, boolean isMain, Function<TransferFigures, TransferFigures.Rate> rate) {
        return new Metric(
                "throughput." + formula,
                "Throughput of transfers",
                figure,
                MBIT_S,
                false,
                false,
                isMain,
                (point, figures) -> figures.transfers() == null
                        ? Double.NaN
                        : rate.apply(figures.transfers()).median() / BITS_PER_MBIT);
    }

    private static List<Metric> ofSeries(Series series, boolean isLag) {
        return ofDurations(series.id(), series.title(), isLag, isLag, figures -> figures.series()
                .get(series));
    }

    /** @param isMain whether the median stands for the quantity */
    private static List<Metric> ofDurations(
            String id, String title, boolean needsCommonClock, boolean isMain, Durations durations) {
        return List.of(
                new Metric(
                        id + ".median",
                        title,
                        "Median",
                        US,
                        true,
                        needsCommonClock,
                        isMain,
                        us(durations, SeriesStatistics::medianNs)),
                new Metric(
                        id + ".q95",
                        title,
                        "Q95",
                        US,
                        true,
                        needsCommonClock,
                        false,
                        us(durations, all -> all.withoutQ95().quantileNs())),
                new Metric(
                        id + ".q99",
                        title,
                        "Q99",
                        US,
                        true,
                        needsCommonClock,
                        false,
                        us(durations, all -> all.withoutQ99().quantileNs())));
    }

    private static Reader us(Durations durations, ToDoubleFunction<SeriesStatistics> statistic) {
        return (point, figures) -> {
            SeriesStatistics all = durations.of(figures);
            return all == null ? Double.NaN : statistic.applyAsDouble(all) / NS_PER_US;
        };
    }

    /** Returns the rate of the packets between the first and the last arrival, without network headers. */
    private static double receiveMbitPerS(PointKey point, Figures figures) {
        SeriesStatistics delay = figures.series().get(Series.RECEIVE_DELAY);
        return delay != null && delay.meanNs() > 0
                ? BITS_PER_BYTE * point.packetBytes() / (delay.meanNs() / NS_PER_US)
                : Double.NaN;
    }
}

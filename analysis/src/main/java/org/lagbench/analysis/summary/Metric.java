package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.DelayBudget.LateTarget;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.core.yaml.NearestName;

/**
 * A number of a run, declared once: comparisons, series of a monitor and events refer to it.
 *
 * @param id its name in files: "lag.median"
 * @param title the measured quantity, for tables: "Transmit lag"
 * @param statistic which statistic of it: "Median"
 * @param unit of the values: "µs"
 * @param smallerIsBetter whether smaller values are better
 * @param needsCommonClock whether the values depend on the difference of two clocks
 * @param use where it is shown
 * @param reader reads the value of a run; NaN if the run has none
 */
public record Metric(
        String id,
        String title,
        String statistic,
        String unit,
        boolean smallerIsBetter,
        boolean needsCommonClock,
        Use use,
        ToDoubleBiFunction<MeasuredPoint, Metrics> reader) {
    /** Where a metric is shown besides the tables of its quantity. */
    public enum Use {
        /** Stands for its quantity where only one statistic is shown. */
        MAIN,
        /** Is part of comparisons, as the main ones are. */
        COMPARED,
        /** Is shown only where it is named. */
        NAMED
    }

    /** The unit of shares. */
    public static final String PERCENT = "%";

    private static final List<Metric> ALL = declared();

    /** The median of the transmit lag. */
    public static final Metric LAG = of("lag.median");

    /** The median of the round trips. */
    public static final Metric ROUND_TRIP = of("roundTrip.median");

    /** The rate of the packets between the first and the last arrival, without network headers. */
    public static final Metric RECEIVE_RATE = of("receiveRate");

    /** The share of the packets that were lost; of those that are answered, the share without a reply in time. */
    public static final Metric LOSS = of("loss");

    /** The median of the throughput of transfers, as in the Network Weather Service. */
    public static final Metric THROUGHPUT = of("throughput.elapsed");

    /** Returns all metrics in the order of tables. */
    public static List<Metric> all() {
        return ALL;
    }

    /** Returns the metrics by which points are compared, in the order of tables. */
    public static List<Metric> compared() {
        return ALL.stream().filter(metric -> metric.use != Use.NAMED).toList();
    }

    /** Returns the metric with an id, which must be declared. */
    public static Metric of(String id) {
        return ALL.stream().filter(metric -> metric.id.equals(id)).findFirst().orElseThrow();
    }

    /**
     * Returns the metric that a user names by its id, or by a former spelling: "lag-q99", "lag_q99_us", "lagQ99Us".
     *
     * @throws LagbenchException with {@link ExitCode#USAGE}, naming similar ones, if there is none
     */
    public static Metric named(String name) throws LagbenchException {
        List<String> ids = ALL.stream().map(Metric::id).toList();
        String letters = letters(name);
        return ALL.stream()
                .filter(metric -> letters(metric.id).equals(letters)
                        || letters(metric.alias()).equals(letters))
                .findFirst()
                .orElseThrow(() -> ExitCode.USAGE.failure("There is no metric \"" + name + "\"; "
                        + NearestName.of(name, ids)
                                .map(id -> "did you mean " + id + "?")
                                .orElseGet(() -> "the nearest are "
                                        + String.join(", ", NearestName.nearest(name, ids, 3)) + ".")));
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }

    /** Returns a short name with the unit, as of a column: "lag_q99_us", "receive_rate_mbit_per_s". */
    public String alias() {
        return id.replaceAll("([A-Z])", "_$1").replace('.', '_').toLowerCase(Locale.ROOT) + "_"
                + unit.replace("µ", "u").replace("%", "percent").replace("Mbit/s", "mbit_per_s");
    }

    /** Returns whether it is a share, of the packets sent or of their schedule, in percent. */
    public boolean isShare() {
        return unit.equals(PERCENT);
    }

    /** Returns whether it stands for its quantity where only one statistic is shown. */
    public boolean isMain() {
        return use == Use.MAIN;
    }

    /** Returns the value of a run, or of pooled runs; NaN if there is none, or none for its {@link MetricMeaning}. */
    public double value(MeasuredPoint point, Metrics metrics) {
        return MetricMeaning.isDefined(id, point.traffic()) ? reader.applyAsDouble(point, metrics) : Double.NaN;
    }

    /**
     * Returns the value of each repeat of a point that has one, in the order of execution; the mean of several runs.
     */
    public Map<Integer, Double> byRepeat(PointSummary point) {
        Map<Integer, Double> values = point.runs().stream()
                .collect(Collectors.groupingBy(
                        RunSummary::repeat,
                        TreeMap::new,
                        Collectors.averagingDouble(run -> value(point.point(), run.metrics()))));
        values.values().removeIf(value -> Double.isNaN(value));
        return values;
    }

    private static List<Metric> declared() {
        List<Metric> all = new ArrayList<>();
        addDurations(all, "roundTrip", "Round trip", false, Use.MAIN, metrics -> {
            RoundTrips trips = metrics.get(MetricGroup.ROUND_TRIPS);
            return trips == null ? null : trips.roundTrip();
        });
        addSeries(all, Series.TRANSMIT_LAG, true, Use.MAIN);
        addSeries(all, Series.RECEIVE_DELAY, false, Use.COMPARED);
        addSeries(all, Series.SEND_DELAY, false, Use.NAMED);
        addSeries(all, Series.LATENESS, false, Use.NAMED);
        addSeries(all, Series.LAG_FROM_SCHEDULE, true, Use.NAMED);
        all.add(loss("loss", "Loss", Metrics::loss));
        all.add(loss(
                "loss.forward", "Loss forward", metrics -> metrics.lossBack() == null ? null : metrics.lossForward()));
        all.add(loss("loss.back", "Loss of replies", Metrics::lossBack));
        all.add(new Metric(
                "playout.delay", "Playout delay", "1 % late", "µs", true, false, Use.NAMED, Metric::playoutDelayUs));
        all.add(new Metric(
                "scheduleKept",
                "Kept schedule",
                "Share",
                PERCENT,
                false,
                false,
                Use.NAMED,
                (point, metrics) ->
                        Units.PERCENT * metrics.require(MetricGroup.RATES).scheduleKept()));
        all.add(rate(
                "receiveRate", "Receive rate", "Mean", Use.MAIN, (point, metrics) -> metrics.require(MetricGroup.RATES)
                        .received()
                        .mbitPerS()));
        all.add(throughput("elapsed", "S/Δt", Use.MAIN, TransferMetrics::elapsedBitsPerS));
        all.add(throughput(
                "latencySubtracted", "S/(Δt − latency)", Use.COMPARED, TransferMetrics::latencySubtractedBitsPerS));
        all.add(throughput("receiver", "Receiver, first to last", Use.COMPARED, TransferMetrics::receiverBitsPerS));
        return List.copyOf(all);
    }

    private static void addSeries(List<Metric> all, Series series, boolean needsCommonClock, Use use) {
        addDurations(all, series.id(), series.title(), needsCommonClock, use, metrics -> metrics.series()
                .get(series));
    }

    /**
     * Adds a metric for each statistic. The median has the given use, Q95 and Q99 are compared unless all are named.
     */
    private static void addDurations(
            List<Metric> all,
            String id,
            String title,
            boolean needsCommonClock,
            Use use,
            Function<Metrics, @Nullable SeriesStatistics> durations) {
        for (Statistic statistic : Statistic.values()) {
            boolean isQuantile = statistic == Statistic.Q95 || statistic == Statistic.Q99;
            Use ofStatistic =
                    statistic == Statistic.MEDIAN ? use : isQuantile && use != Use.NAMED ? Use.COMPARED : Use.NAMED;
            all.add(new Metric(
                    id + "." + statistic.id(),
                    title,
                    statistic.title(),
                    "µs",
                    true,
                    needsCommonClock,
                    ofStatistic,
                    (point, metrics) -> {
                        SeriesStatistics series = durations.apply(metrics);
                        return series == null ? Double.NaN : statistic.ns(series) / Units.NS_PER_US;
                    }));
        }
    }

    private static Metric loss(String id, String title, Function<Metrics, @Nullable PacketLoss> loss) {
        return new Metric(id, title, "Share", "%", true, false, Use.NAMED, (point, metrics) -> {
            PacketLoss packets = loss.apply(metrics);
            return packets == null ? Double.NaN : Units.PERCENT * packets.share();
        });
    }

    private static Metric rate(
            String id, String title, String statistic, Use use, ToDoubleBiFunction<MeasuredPoint, Metrics> reader) {
        return new Metric(id, title, statistic, "Mbit/s", false, false, use, reader);
    }

    /** Returns the median of a run's transfers by one formula. */
    private static Metric throughput(
            String formula, String statistic, Use use, Function<TransferMetrics, TransferMetrics.Rate> rate) {
        return rate("throughput." + formula, "Throughput of transfers", statistic, use, (point, metrics) -> {
            TransferMetrics transfers = metrics.get(MetricGroup.TRANSFERS);
            return transfers == null ? Double.NaN : rate.apply(transfers).median() / Units.BITS_PER_MBIT;
        });
    }

    private static double playoutDelayUs(MeasuredPoint point, Metrics metrics) {
        PlayoutBudget playout = metrics.get(MetricGroup.PLAYOUT);
        Long delayNs =
                playout == null ? null : playout.budget(LateTarget.ONE_PERCENT).delayNs();
        return delayNs == null ? Double.NaN : delayNs / Units.NS_PER_US;
    }
}

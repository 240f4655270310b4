package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.CorrectedLag;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Rates;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.Retransmission;
import org.lagbench.analysis.summary.Statistic;
import org.lagbench.analysis.summary.StreamSum;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUp;
import org.lagbench.core.clock.ClockBound;

/**
 * Loss, lag and inter-packet delay in 80 columns, the intervals over repeats, and what happened to the packets.
 * Durations have at least three significant digits.
 */
public final class LagView extends View {
    /** The shown statistics of the inter-packet delay. */
    private static final List<Statistic> RECEIVED = List.of(Statistic.MEDIAN, Statistic.Q99);

    /** The longest gap between arrivals is shown if one has more than this number of intervals. */
    private static final int LONG_GAP_INTERVALS = 10;

    /** The heading of the lags before the runs were warm. */
    static final String FIRST = "First " + Numbers.grouped(WarmUp.FIRST_PACKETS);

    /**
     * A row of a table of a series.
     *
     * @param kind "raw", or how the lag was corrected
     * @param metrics the metrics of the run or point that the row belongs to
     * @param boundNs ± the maximum error of a lag, in ns; null if unknown
     * @param basis the bases of the bound
     */
    record LagRow(String kind, Metrics metrics, SeriesStatistics statistics, @Nullable Long boundNs, String basis) {
        private static final String RAW = "raw";

        /** Returns the row of a series, if the metrics have it, and those of the corrected lags if requested. */
        static List<LagRow> of(Metrics metrics, PacketDelay series, boolean isCorrected) {
            SeriesStatistics statistics = metrics.series().get(series);
            if (statistics == null) {
                return List.of();
            }
            Long boundNs = metrics.clock().boundNs();
            String basis = boundNs == null
                    ? Numbers.NONE
                    : Numbers.clockBases(metrics.clock().bases());
            List<LagRow> rows = new ArrayList<>();
            rows.add(new LagRow(RAW, metrics, statistics, boundNs, basis));
            for (CorrectedLag corrected :
                    isCorrected ? metrics.require(MetricGroup.CORRECTED) : List.<CorrectedLag>of()) {
                Estimator estimator = corrected.estimator();
                rows.add(new LagRow(
                        estimator.text(), metrics, corrected.lag(), corrected.uncertaintyNs(), estimator.basis()));
            }
            return rows;
        }

        Rates.PacketRate received() {
            return metrics.require(MetricGroup.RATES).received();
        }

        /** Returns whether it is the lag as stamped. */
        boolean isRaw() {
            return kind.equals(RAW);
        }

        /** Returns the lost share of the packets in percent, marked if there is any. */
        String loss() {
            return Warnings.marked(metrics.lossForward());
        }
    }

    public LagView() {
        super("lag", 0, MetricGroup.SERIES, MetricGroup.CORRECTED, MetricGroup.WARM_UP);
    }

    @Override
    Predicate<Summary> defaultFor() {
        return summary -> true;
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return TableNotes.ofLags(rows);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        List<Table> tables = new ArrayList<>();
        boolean hasFlood = rows.any(point -> point.point().isFlood());
        for (PacketDelay series : rows.series()) {
            tables.add(series == PacketDelay.TRANSMIT_LAG ? lag(rows, hasFlood) : series(rows, series));
        }
        tables.add(sums(rows));
        if (hasFlood) {
            tables.add(rows.table(
                    "Inter-packet delay at the receiver",
                    new TableColumns<LagRow>().times(LagView::received, RECEIVED),
                    metrics -> LagRow.of(metrics, PacketDelay.TRANSMIT_LAG, false)));
        }
        tables.add(packets(rows));
        tables.addAll(List.of(intervals(rows), RunTables.links(rows), RunTables.offsets(rows)));
        return tables;
    }

    /** Returns the first table; a flood has its rate there, other points their inter-packet delay. */
    private static Table lag(PointRows rows, boolean hasFlood) {
        boolean isCorrected = rows.summary().corrected();
        String common = commonBound(rows.summary().points());
        boolean hasBounds = hasBounds(rows);
        TableColumns<LagRow> columns = new TableColumns<>();
        if (isCorrected) {
            columns.text("Lag", LagRow::kind);
        }
        columns.count("Packets", row -> row.metrics().packets().sent()).number("Lost", "%", LagRow::loss);
        if (hasFlood) {
            addRate(columns, LagRow::received);
        }
        columns.group("Lag").times(LagRow::statistics, Statistic.QUANTILES);
        if (hasBounds) {
            columns.group("Clock").number("Bound", "", row -> Numbers.plusMinus(row.boundNs()));
        }
        if (!hasFlood) {
            columns.group("Inter-packet delay").times(LagView::received, RECEIVED);
            if (rows.any(LagView::hasLongGap)) {
                columns.time("Longest", row -> received(row).maximumNs());
            }
        }
        return rows.table(
                title(rows, hasBounds ? "" : common)
                        + (hasFlood
                                ? ", and the rate between the first arrival and the last"
                                : ", and inter-packet delay at the receiver"),
                columns,
                metrics -> LagRow.of(metrics, PacketDelay.TRANSMIT_LAG, isCorrected));
    }

    private static boolean hasLongGap(PointSummary point) {
        SeriesStatistics delays = point.pooled().series().get(PacketDelay.RECEIVE_DELAY);
        double longNs = (double) LONG_GAP_INTERVALS * point.point().paceIntervalNs();
        return delays != null && !point.point().isFlood() && delays.maximumNs() > longNs;
    }

    /** Returns whether each row of the first table has its clock bound; else the title has that of all. */
    static boolean hasBounds(PointRows rows) {
        return rows.summary().corrected()
                || commonBound(rows.summary().points()).isEmpty();
    }

    /** Returns the rates of equal streams together. */
    private static Table sums(PointRows rows) {
        List<StreamSum> sums = rows.summary().sums();
        TableColumns<StreamSum> columns = new TableColumns<StreamSum>()
                .addAll(Axes.of(sums.stream().map(StreamSum::point).toList()), StreamSum::point);
        int axes = columns.columns().size();
        columns.number("Streams", "", sum -> Integer.toString(sum.streams()));
        addRate(columns, StreamSum::received);
        boolean isApart =
                sums.stream().anyMatch(sum -> Double.isNaN(sum.received().packetsPerS()));
        String title = "Sum of the streams, while all of them arrived" + (isApart ? " (–: never all at once)" : "");
        return columns.table(rows.title(title), sums, axes);
    }

    private static <R> void addRate(TableColumns<R> columns, Function<R, Rates.PacketRate> rate) {
        columns.group("Received")
                .number(
                        "Packets",
                        "per s",
                        row -> Numbers.grouped(0, rate.apply(row).packetsPerS()))
                .number("Rate", "Mbit/s", row -> Numbers.rate(3, rate.apply(row).mbitPerS()));
    }

    private static String title(PointRows rows, String common) {
        if (!common.isEmpty()) {
            return "Lag " + common;
        }
        EnumSet<ClockBound.Basis> bases = EnumSet.noneOf(ClockBound.Basis.class);
        rows.summary()
                .points()
                .forEach(point -> bases.addAll(point.pooled().clock().bases()));
        return bases.isEmpty()
                ? "Lag"
                : rows.any(point -> point.pooled().clock().boundNs() == null)
                        ? "Lag (CLOCKS NOT KNOWN TO AGREE: see the bounds)"
                        : "Lag ± the bound of its row (" + Numbers.clockBases(bases) + ")";
    }

    /**
     * Returns the clock bound that applies to all points; empty if they have different bounds or one is unknown. On one
     * kernel, bounds differ only by the clock's resolution, so that the largest applies to all.
     */
    static String commonBound(List<PointSummary> points) {
        List<String> bounds = points.stream()
                .map(point -> Numbers.clockBound(point.pooled().clock()))
                .distinct()
                .toList();
        if (points.isEmpty()
                || points.stream().anyMatch(point -> point.pooled().clock().boundNs() == null)) {
            return "";
        }
        if (bounds.size() == 1) {
            return bounds.get(0);
        }
        boolean isOneKernel = points.stream()
                .allMatch(point -> point.pooled().clock().bases().equals(EnumSet.of(ClockBound.Basis.SAME_KERNEL)));
        return !isOneKernel
                ? ""
                : points.stream()
                        .map(point -> point.pooled().clock())
                        .max(Comparator.comparingLong(clock -> Objects.requireNonNull(clock.boundNs())))
                        .map(Numbers::clockBound)
                        .orElse("");
    }

    private static SeriesStatistics received(LagRow row) {
        SeriesStatistics received = row.metrics().series().get(PacketDelay.RECEIVE_DELAY);
        return row.isRaw() && received != null ? received : SeriesStatistics.NONE;
    }

    private static Table series(PointRows rows, PacketDelay series) {
        TableColumns<LagRow> columns = new TableColumns<LagRow>()
                .count("n", row -> row.statistics().n())
                .times(LagRow::statistics, Statistic.QUANTILES);
        return rows.table(series.title(), columns, metrics -> LagRow.of(metrics, series, false));
    }

    private static Table packets(PointRows rows) {
        TableColumns<Metrics> columns = new TableColumns<Metrics>()
                .number("Runs", "", metrics -> Integer.toString(metrics.require(MetricGroup.RUNS)))
                .misses("Lost", metrics -> metrics.packets().lost());
        addCounts(columns, rows, rows.view().zeros());
        if (rows.pooled(MetricGroup.RETRANSMISSIONS).stream().anyMatch(sent -> sent.segments() > 0)) {
            columns.count("Retransmitted", metrics -> {
                Retransmission sent = metrics.get(MetricGroup.RETRANSMISSIONS);
                return sent == null ? null : (Long) sent.segments();
            });
        }
        if (rows.any(point -> point.pooled().packets().negativeLags() > 0)) {
            columns.count("Lags below 0", metrics -> metrics.packets().negativeLags());
        }
        columns.group("Q99 of lag")
                .time(FIRST, metrics -> metrics.require(MetricGroup.WARM_UP).firstQ99Ns())
                .time("Rest", metrics -> metrics.require(MetricGroup.WARM_UP).restQ99Ns());
        return rows.table("Packets", columns, List::of);
    }

    /**
     * Adds the counts of copied, reordered, unmatched and foreign packets, and of packets dropped on the host.
     *
     * @param zeros whether to add counts that are 0 in all points
     */
    static void addCounts(TableColumns<Metrics> columns, PointRows rows, boolean zeros) {
        addCount(columns, rows, zeros, "Copies", metrics -> metrics.packets().duplicated());
        addCount(columns, rows, zeros, "Reordered", metrics -> metrics.packets().reordered());
        addCount(columns, rows, false, "Unmatched", metrics -> metrics.packets().unmatched());
        addCount(columns, rows, zeros, "Foreign", metrics -> metrics.get(MetricGroup.FOREIGN));
        addCount(columns, rows, zeros, "Kernel drops", metrics -> metrics.get(MetricGroup.KERNEL_DROPS));
        addCount(columns, rows, false, "Damaged", metrics -> metrics.get(MetricGroup.DAMAGED));
        addCount(columns, rows, false, "Overwritten", metrics -> metrics.get(MetricGroup.OVERWRITTEN));
    }

    private static void addCount(
            TableColumns<Metrics> columns,
            PointRows rows,
            boolean zeros,
            String title,
            Function<Metrics, @Nullable Long> count) {
        if (zeros || rows.any(point -> Objects.requireNonNullElse(count.apply(point.pooled()), 0L) > 0)) {
            columns.count(title, count);
        }
    }

    /** Returns the intervals of the points with several runs. */
    private static Table intervals(PointRows rows) {
        TableColumns<RepeatIntervals> columns = new TableColumns<RepeatIntervals>()
                .number("Runs", "", intervals -> Integer.toString(intervals.repeats()))
                .fixed(1, "Confidence", "%", intervals -> 100 * intervals.confidence());
        for (Statistic statistic : List.of(Statistic.MEDIAN, Statistic.Q95, Statistic.Q99)) {
            columns.group(statistic.title() + " of a run")
                    .time("From", row -> lag(row, statistic).lowNs())
                    .time("To", row -> lag(row, statistic).highNs());
        }
        return rows.pooledTable(
                "Lag over the runs of a point: intervals of their medians and quantiles",
                columns,
                point -> Stream.ofNullable(point.repeatIntervals()).toList());
    }

    private static RepeatIntervals.Interval lag(RepeatIntervals intervals, Statistic statistic) {
        return Objects.requireNonNull(intervals
                .series()
                .getOrDefault(PacketDelay.TRANSMIT_LAG, Map.of())
                .get(statistic));
    }
}

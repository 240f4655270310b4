package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.Retransmission;
import org.lagbench.analysis.summary.Statistic;
import org.lagbench.analysis.summary.WarmUp;
import org.lagbench.core.clock.ClockBound;

/**
 * Loss, lag and inter-packet delay in 80 columns, the intervals over repeats, and what happened to the packets.
 * Durations have at least three significant digits.
 */
final class LagView implements SummaryView {
    /** The heading of the lags before the runs were warm. */
    static final String FIRST = "First " + Numbers.grouped(WarmUp.FIRST_PACKETS);

    @Override
    public Set<MetricGroup<?>> groups() {
        return Set.of(MetricGroup.SERIES, MetricGroup.CORRECTED, MetricGroup.WARM_UP);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        for (Series series : rows.series(allSeries)) {
            tables.add(series == Series.TRANSMIT_LAG ? lag(rows) : series(rows, series));
        }
        tables.add(packets(rows));
        Stream.of(intervals(rows), RunTables.links(rows), RunTables.offsets(rows))
                .filter(table -> !table.rows().isEmpty())
                .forEach(tables::add);
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        return TableNotes.ofLags(rows);
    }

    private static Table lag(PointRows rows) {
        boolean isCorrected = rows.summary().corrected();
        String common = commonBound(rows.summary().points());
        boolean hasBounds = isCorrected || common.isEmpty();
        TableColumns<LagRow> columns = new TableColumns<>();
        if (isCorrected) {
            columns.text("Lag", LagRow::kind);
        }
        columns.count("Packets", row -> row.metrics().packets().sent())
                .number("Lost", "%", LagRow::loss)
                .group("Lag")
                .brief(LagRow::statistics, Statistic.QUANTILES);
        if (hasBounds) {
            columns.group("Clock").number("Bound", "", row -> Numbers.plusMinus(row.boundNs()));
        }
        columns.group("Inter-packet delay").brief(LagView::received, List.of(Statistic.MEDIAN, Statistic.Q99));
        return rows.table(
                title(rows, hasBounds ? "" : common) + ", and inter-packet delay at the receiver",
                columns,
                metrics -> LagRow.of(metrics, Series.TRANSMIT_LAG, isCorrected));
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
                        : "Lag ± the bound of its row (" + ClockText.bases(bases) + ")";
    }

    /**
     * Returns the clock bound that applies to all points; empty if they have different bounds or one is unknown. On one
     * kernel, bounds differ only by the clock's resolution, so that the greatest applies to all.
     */
    private static String commonBound(List<PointSummary> points) {
        List<String> bounds = points.stream()
                .map(point -> ClockText.bound(point.pooled().clock()))
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
                        .map(ClockText::bound)
                        .orElse("");
    }

    private static SeriesStatistics received(LagRow row) {
        SeriesStatistics received = row.metrics().series().get(Series.RECEIVE_DELAY);
        return row.isRaw() && received != null ? received : SeriesStatistics.NONE;
    }

    private static Table series(PointRows rows, Series series) {
        TableColumns<LagRow> columns = new TableColumns<LagRow>()
                .count("n", row -> row.statistics().n())
                .brief(LagRow::statistics, Statistic.QUANTILES);
        return rows.table(series.title(), columns, metrics -> LagRow.of(metrics, series, false));
    }

    private static Table packets(PointRows rows) {
        TableColumns<Metrics> columns = new TableColumns<Metrics>()
                .number("Runs", "", metrics -> Integer.toString(metrics.require(MetricGroup.RUNS)))
                .count("Lost", metrics -> metrics.packets().lost());
        addCounts(columns, rows);
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
                .briefUs(FIRST, metrics -> metrics.require(MetricGroup.WARM_UP).firstQ99Ns())
                .briefUs("Rest", metrics -> metrics.require(MetricGroup.WARM_UP).restQ99Ns());
        return rows.table("Packets", columns, List::of);
    }

    /** Adds the counts of packets that arrived otherwise than once and in order, and of those dropped on the host. */
    static void addCounts(TableColumns<Metrics> columns, PointRows rows) {
        columns.count("Copies", metrics -> metrics.packets().duplicated())
                .count("Reordered", metrics -> metrics.packets().reordered());
        if (rows.any(point -> point.pooled().packets().unmatched() > 0)) {
            columns.count("Unmatched", metrics -> metrics.packets().unmatched());
        }
        columns.count("Foreign", metrics -> metrics.get(MetricGroup.FOREIGN))
                .count("Kernel drops", metrics -> metrics.get(MetricGroup.KERNEL_DROPS));
        if (rows.pooled(MetricGroup.OVERWRITTEN).stream().anyMatch(count -> count > 0)) {
            columns.count("Overwritten", metrics -> metrics.get(MetricGroup.OVERWRITTEN));
        }
    }

    /** Returns the intervals of the points with several runs. */
    private static Table intervals(PointRows rows) {
        TableColumns<RepeatIntervals> columns = new TableColumns<RepeatIntervals>()
                .number("Runs", "", intervals -> Integer.toString(intervals.repeats()))
                .fixed(1, "Confidence", "%", intervals -> 100 * intervals.confidence());
        for (Statistic statistic : List.of(Statistic.MEDIAN, Statistic.Q95, Statistic.Q99)) {
            columns.group(statistic.title() + " of a run")
                    .briefUs("From", row -> lag(row, statistic).lowNs())
                    .briefUs("To", row -> lag(row, statistic).highNs());
        }
        return rows.pooledTable(
                "Lag over the runs of a point: intervals of their medians and quantiles",
                columns,
                point -> Stream.ofNullable(point.repeatIntervals()).toList());
    }

    private static RepeatIntervals.Interval lag(RepeatIntervals intervals, Statistic statistic) {
        return Objects.requireNonNull(
                intervals.series().getOrDefault(Series.TRANSMIT_LAG, Map.of()).get(statistic));
    }
}

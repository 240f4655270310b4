package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.SeriesStatistics.TrimmedStatistics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.report.table.LagView.LagRow;

/**
 * The lag table in the form of Norris and Miller's Table 1, with four significant digits; those of other series, and
 * all packet counts.
 */
public final class PaperView extends View {
    public PaperView() {
        super("paper", 20, MetricGroup.SERIES, MetricGroup.CORRECTED, MetricGroup.WARM_UP);
    }

    @Override
    public Set<MetricGroup<?>> needs() {
        return Set.of();
    }

    /** Reports have these tables as those of all series. */
    @Override
    public boolean isInReports() {
        return false;
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return TableNotes.ofPaper(rows);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        List<Table> tables = new ArrayList<>();
        rows.series().forEach(series -> tables.add(series(rows, series)));
        tables.add(packets(rows));
        tables.addAll(List.of(RunTables.links(rows), RunTables.offsets(rows)));
        return tables;
    }

    private static Table series(PointRows rows, PacketDelay series) {
        boolean isLag = series == PacketDelay.TRANSMIT_LAG || series == PacketDelay.LAG_FROM_SCHEDULE;
        boolean isCorrected = rows.summary().corrected() && series == PacketDelay.TRANSMIT_LAG;
        TableColumns<LagRow> columns = new TableColumns<>();
        if (isCorrected) {
            columns.text("Lag", LagRow::kind);
        }
        if (isLag) {
            columns.number("Lost", "%", LagRow::loss);
        }
        columns.us("Median", row -> row.statistics().medianNs())
                .us("Mean", row -> row.statistics().meanNs())
                .us("Standard deviation", row -> row.statistics().standardDeviationNs());
        addTrimmed(columns, "Q95", SeriesStatistics::withoutQ95);
        addTrimmed(columns, "Q99", SeriesStatistics::withoutQ99);
        if (isLag) {
            columns.group("Clock")
                    .number("Bound", "", row -> Numbers.plusMinus(row.boundNs()))
                    .text("Basis", LagRow::basis);
        }
        return rows.table(
                series.title() + (isLag ? bounds(rows, isCorrected) : ""),
                columns,
                metrics -> LagRow.of(metrics, series, isCorrected));
    }

    private static void addTrimmed(
            TableColumns<LagRow> columns, String quantile, Function<SeriesStatistics, TrimmedStatistics> trimmed) {
        columns.group("With " + quantile + " removed")
                .us(quantile, row -> trimmed.apply(row.statistics()).quantileNs())
                .us("Mean", row -> trimmed.apply(row.statistics()).meanNs())
                .us("Standard deviation", row -> trimmed.apply(row.statistics()).standardDeviationNs());
    }

    /** Returns the part of a title about the bound, which states it if all rows have the same. */
    private static String bounds(PointRows rows, boolean isCorrected) {
        if (rows.any(point -> point.pooled().clock().boundNs() == null)) {
            return " (CLOCKS NOT KNOWN TO AGREE: see the last columns)";
        }
        List<String> bounds = rows.summary().points().stream()
                .map(point -> Numbers.clockBound(point.pooled().clock()))
                .distinct()
                .toList();
        return bounds.size() == 1 && !isCorrected
                ? " " + bounds.get(0)
                : bounds.isEmpty() ? "" : ", each ± the bound of its row";
    }

    private static Table packets(PointRows rows) {
        TableColumns<Metrics> columns = new TableColumns<Metrics>()
                .number("Runs", "", metrics -> Integer.toString(metrics.require(MetricGroup.RUNS)))
                .count("Sent", metrics -> metrics.packets().sent())
                .misses("Lost", metrics -> metrics.packets().lost());
        LagView.addCounts(columns, rows, true);
        columns.group("Lags").count("n", metrics -> lag(metrics).n()).count("Below 0", metrics -> metrics.packets()
                .negativeLags());
        if (rows.any(point -> Objects.requireNonNullElse(point.pooled().clock().negativeBeyondBound(), 0L) > 0)) {
            columns.count("Beyond bound", metrics -> metrics.clock().negativeBeyondBound());
        }
        columns.count("Above Q95", metrics -> lag(metrics).withoutQ95().dropped())
                .count("Above Q99", metrics -> lag(metrics).withoutQ99().dropped())
                .group("Q99 of lag")
                .us(LagView.FIRST, metrics -> metrics.require(MetricGroup.WARM_UP)
                        .firstQ99Ns())
                .us("Rest", metrics -> metrics.require(MetricGroup.WARM_UP).restQ99Ns());
        return rows.table("Packets", columns, List::of);
    }

    private static SeriesStatistics lag(Metrics metrics) {
        return Objects.requireNonNull(metrics.series().get(PacketDelay.TRANSMIT_LAG));
    }
}

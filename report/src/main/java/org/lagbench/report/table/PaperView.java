package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.WarmUpFigures;

/** The lag table in the form of Norris and Miller's Table 1, those of the other series, and all packet counts. */
final class PaperView implements ViewContent {
    @Override
    public Set<String> members() {
        return Set.of("series", "corrected", "warmUp");
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        rows.series(allSeries).forEach(series -> tables.add(series(rows, series)));
        tables.add(packets(rows));
        Stream.of(LinkTable.of(rows), OffsetTable.of(rows))
                .filter(table -> !table.rows().isEmpty())
                .forEach(tables::add);
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        return TableNotes.ofPaper(rows);
    }

    private static Table series(PointRows rows, Series series) {
        boolean isLag = series == Series.TRANSMIT_LAG || series == Series.LAG_FROM_SCHEDULE;
        boolean isCorrected = rows.summary().corrected() && series == Series.TRANSMIT_LAG;
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
                figures -> LagRow.of(figures, series, isCorrected));
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
                .map(point -> ClockText.bound(point.pooled().clock()))
                .distinct()
                .toList();
        return bounds.size() == 1 && !isCorrected
                ? " " + bounds.get(0)
                : bounds.isEmpty() ? "" : ", each ± the bound of its row";
    }

    private static Table packets(PointRows rows) {
        TableColumns<Figures> columns = new TableColumns<Figures>()
                .number("Runs", "", figures -> Integer.toString(figures.runs()))
                .count("Sent", figures -> figures.packets().sent())
                .count("Lost", figures -> figures.packets().lost())
                .count("Copies", figures -> figures.packets().duplicated())
                .count("Reordered", figures -> figures.packets().reordered());
        if (rows.any(point -> point.pooled().packets().unmatched() > 0)) {
            columns.count("Unmatched", figures -> figures.packets().unmatched());
        }
        columns.count("Foreign", Figures::foreign).count("Kernel drops", Figures::kernelDrops);
        LagView.addOverwritten(columns, rows);
        columns.group("Lags").count("n", figures -> lag(figures).n()).count("Below 0", figures -> figures.packets()
                .negativeLags());
        if (rows.any(point -> Objects.requireNonNullElse(point.pooled().clock().negativeBeyondBound(), 0L) > 0)) {
            columns.count("Beyond bound", figures -> figures.clock().negativeBeyondBound());
        }
        columns.count("Above Q95", figures -> lag(figures).withoutQ95().dropped())
                .count("Above Q99", figures -> lag(figures).withoutQ99().dropped())
                .group("Q99 of lag")
                .us("First " + Numbers.grouped(WarmUpFigures.FIRST_PACKETS), figures -> figures.warmUp()
                        .firstQ99Ns())
                .us("Rest", figures -> figures.warmUp().restQ99Ns());
        return rows.table("Packets", columns, List::of);
    }

    private static SeriesStatistics lag(Figures figures) {
        return Objects.requireNonNull(figures.series().get(Series.TRANSMIT_LAG));
    }
}

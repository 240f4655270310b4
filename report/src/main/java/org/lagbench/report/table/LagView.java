package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.CorrectedFigures;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUpFigures;

/**
 * The lag tables: the lag summary table in the form of Norris and Miller's Table 1, the same of the other series, and
 * the counts that tell how far they can be trusted.
 */
final class LagView implements ViewContent {
    /** A row of a table of lags: as stamped, or corrected. */
    private record Lag(String kind, SeriesStatistics statistics, @Nullable Long boundNs, String basis) {}

    /** What was taken from the lags of a run. */
    private record Offset(String run, String estimator, OffsetEstimate estimate) {}

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        for (Series series : Series.values()) {
            boolean isAskedFor = series == Series.TRANSMIT_LAG
                    || (allSeries && rows.any(point -> point.pooled().series().containsKey(series)));
            if (isAskedFor) {
                tables.add(series(rows, series));
            }
        }
        tables.add(packets(rows));
        Table link = LinkTable.of(rows);
        Table offsets = offsets(rows);
        if (!link.rows().isEmpty()) {
            tables.add(link);
        }
        if (rows.summary().corrected() && !offsets.rows().isEmpty()) {
            tables.add(offsets);
        }
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        return TableNotes.ofLags(rows.summary(), rows.axes());
    }

    private static Table series(PointRows rows, Series series) {
        Summary summary = rows.summary();
        boolean isLag = series == Series.TRANSMIT_LAG || series == Series.LAG_FROM_SCHEDULE;
        boolean isCorrected = summary.corrected() && series == Series.TRANSMIT_LAG;
        TableColumns<Lag> columns = new TableColumns<>();
        if (isCorrected) {
            columns.text("Lag", Lag::kind);
        }
        columns.us("Median", lag -> lag.statistics().medianNs())
                .us("Mean", lag -> lag.statistics().meanNs())
                .us("Standard deviation", lag -> lag.statistics().standardDeviationNs());
        addTrimmed(columns, "Q95", SeriesStatistics::withoutQ95);
        addTrimmed(columns, "Q99", SeriesStatistics::withoutQ99);
        if (isLag) {
            columns.group("Clock")
                    .number("Bound", "", lag -> Numbers.plusMinus(lag.boundNs()))
                    .text("By", Lag::basis);
        }
        return rows.table(
                series.title() + (isLag ? bounds(summary, isCorrected) : ""),
                columns,
                figures -> lags(figures, series, isCorrected));
    }

    private static void addTrimmed(
            TableColumns<Lag> columns, String quantile, Function<SeriesStatistics, TrimmedStatistics> trimmed) {
        columns.group("With " + quantile + " removed")
                .us(quantile, lag -> trimmed.apply(lag.statistics()).quantileNs())
                .us("Mean", lag -> trimmed.apply(lag.statistics()).meanNs())
                .us("Standard deviation", lag -> trimmed.apply(lag.statistics()).standardDeviationNs());
    }

    /** What the title of a table of lags says of the bound: it, if there is but one. */
    private static String bounds(Summary summary, boolean isCorrected) {
        if (summary.points().stream().anyMatch(point -> point.pooled().clock().boundNs() == null)) {
            return " (CLOCKS NOT KNOWN TO AGREE: see the last columns)";
        }
        List<String> bounds = summary.points().stream()
                .map(point -> ClockText.bound(point.pooled().clock()))
                .distinct()
                .toList();
        return bounds.size() == 1 && !isCorrected
                ? " " + bounds.get(0)
                : bounds.isEmpty() ? "" : ", each ± the bound of its row";
    }

    private static List<Lag> lags(Figures figures, Series series, boolean isCorrected) {
        SeriesStatistics statistics = figures.series().get(series);
        if (statistics == null) {
            return List.of();
        }
        Long boundNs = figures.clock().boundNs();
        List<Lag> lags = new ArrayList<>();
        String basis =
                boundNs == null ? Numbers.NONE : ClockText.bases(figures.clock().bases());
        lags.add(new Lag("raw", statistics, boundNs, basis));
        for (CorrectedFigures one : isCorrected ? figures.corrected() : List.<CorrectedFigures>of()) {
            lags.add(new Lag(one.estimator().text(), one.lag(), one.uncertaintyNs(), "stamps"));
        }
        return lags;
    }

    private static Table offsets(PointRows rows) {
        TableColumns<Offset> columns = new TableColumns<Offset>()
                .text("Run", Offset::run)
                .text("By", Offset::estimator)
                .us("Offset in mid-span", row -> (double) row.estimate().midSpanOffsetNs())
                .number("Bound", "", row -> Numbers.plusMinus(row.estimate().uncertaintyNs()))
                .number("Skew", "ppm", row -> Numbers.ppm(row.estimate().skewPpm()))
                .number(
                        "Skew bound",
                        "ppm",
                        row -> Numbers.plusMinusPpm(row.estimate().skewUncertaintyPpm()));
        List<List<String>> cells = new ArrayList<>();
        for (PointSummary point : rows.summary().points()) {
            for (RunSummary run : point.runs()) {
                for (CorrectedFigures corrected : run.figures().corrected()) {
                    if (corrected.offset() != null) {
                        cells.add(columns.cells(
                                new Offset(run.name(), corrected.estimator().text(), corrected.offset())));
                    }
                }
            }
        }
        return new Table(rows.title("Receiver's clock less the sender's"), columns.columns(), cells);
    }

    private static Table packets(PointRows rows) {
        TableColumns<Figures> columns = new TableColumns<Figures>()
                .number("Runs", "", figures -> Integer.toString(figures.runs()))
                .count("Sent", figures -> figures.packets().sent())
                .count("Lost", figures -> figures.packets().lost())
                .count("Dupli- cated", figures -> figures.packets().duplicated())
                .count("Reor- dered", figures -> figures.packets().reordered());
        if (rows.any(point -> point.pooled().packets().unmatched() > 0)) {
            columns.count("Un- matched", figures -> figures.packets().unmatched());
        }
        columns.count("Foreign", Figures::foreign)
                .count("Kernel drops", Figures::kernelDrops)
                .group("Lags")
                .count("n", figures -> lag(figures).n())
                .count("Nega- tive", figures -> figures.packets().negativeLags());
        if (rows.any(point -> Objects.requireNonNullElse(point.pooled().clock().negativeBeyondBound(), 0L) > 0)) {
            columns.count("Beyond bound", figures -> figures.clock().negativeBeyondBound());
        }
        columns.count("Beyond Q95", figures -> lag(figures).withoutQ95().dropped())
                .count("Beyond Q99", figures -> lag(figures).withoutQ99().dropped())
                .group("Q99 of lag")
                .us("First " + WarmUpFigures.FIRST_PACKETS, figures -> figures.warmUp()
                        .firstQ99Ns())
                .us("Rest", figures -> figures.warmUp().restQ99Ns());
        return rows.table("Packets", columns, List::of);
    }

    private static SeriesStatistics lag(Figures figures) {
        return Objects.requireNonNull(figures.series().get(Series.TRANSMIT_LAG));
    }
}

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.CorrectedFigures;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.WarmUpFigures;

/** The lag table in the form of Norris and Miller's Table 1, those of the other series, and the packet counts. */
final class LagView implements ViewContent {
    /** A row of a table of lags, raw or corrected. */
    private record Lag(String kind, SeriesStatistics statistics, @Nullable Long boundNs, String basis) {}

    /** The clock offset that was subtracted from the lags of a run. */
    private record Offset(String run, String estimator, OffsetEstimate estimate) {}

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        for (Series series : Series.values()) {
            if (series == Series.TRANSMIT_LAG
                    || (allSeries && rows.any(point -> point.pooled().series().containsKey(series)))) {
                tables.add(series(rows, series));
            }
        }
        tables.add(packets(rows));
        Stream.of(LinkTable.of(rows), offsets(rows))
                .filter(table -> !table.rows().isEmpty())
                .forEach(tables::add);
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        return TableNotes.ofLags(rows);
    }

    private static Table series(PointRows rows, Series series) {
        boolean isLag = series == Series.TRANSMIT_LAG || series == Series.LAG_FROM_SCHEDULE;
        boolean isCorrected = rows.summary().corrected() && series == Series.TRANSMIT_LAG;
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
                    .text("Basis", Lag::basis);
        }
        return rows.table(
                series.title() + (isLag ? bounds(rows, isCorrected) : ""),
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

    private static List<Lag> lags(Figures figures, Series series, boolean isCorrected) {
        SeriesStatistics statistics = figures.series().get(series);
        if (statistics == null) {
            return List.of();
        }
        Long boundNs = figures.clock().boundNs();
        String basis =
                boundNs == null ? Numbers.NONE : ClockText.bases(figures.clock().bases());
        List<Lag> lags = new ArrayList<>();
        lags.add(new Lag("raw", statistics, boundNs, basis));
        for (CorrectedFigures corrected : isCorrected ? figures.corrected() : List.<CorrectedFigures>of()) {
            lags.add(new Lag(corrected.estimator().text(), corrected.lag(), corrected.uncertaintyNs(), "stamps"));
        }
        return lags;
    }

    private static Table offsets(PointRows rows) {
        List<Offset> offsets = new ArrayList<>();
        for (PointSummary point : rows.summary().corrected() ? rows.summary().points() : List.<PointSummary>of()) {
            for (RunSummary run : point.runs()) {
                for (CorrectedFigures corrected : run.figures().corrected()) {
                    OffsetEstimate estimate = corrected.offset();
                    if (estimate != null) {
                        offsets.add(new Offset(run.name(), corrected.estimator().text(), estimate));
                    }
                }
            }
        }
        return new TableColumns<Offset>()
                .text("Run", Offset::run)
                .text("Estimator", Offset::estimator)
                .us("Offset at midpoint", row -> (double) row.estimate().midSpanOffsetNs())
                .number("Bound", "", row -> Numbers.plusMinus(row.estimate().uncertaintyNs()))
                .number(
                        "Skew",
                        "ppm",
                        row -> Numbers.fixed(3, Math.round(row.estimate().skewPpm() * 1e3) / 1e3))
                .number(
                        "Skew bound",
                        "ppm",
                        row -> Numbers.plusMinusPpm(row.estimate().skewUncertaintyPpm()))
                .table(rows.title("Offset of the receiver's clock from the sender's"), offsets);
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
        columns.count("Foreign", Figures::foreign)
                .count("Kernel drops", Figures::kernelDrops)
                .group("Lags")
                .count("n", figures -> lag(figures).n())
                .count("Below 0", figures -> figures.packets().negativeLags());
        if (rows.any(point -> Objects.requireNonNullElse(point.pooled().clock().negativeBeyondBound(), 0L) > 0)) {
            columns.count("Beyond bound", figures -> figures.clock().negativeBeyondBound());
        }
        columns.count("Above Q95", figures -> lag(figures).withoutQ95().dropped())
                .count("Above Q99", figures -> lag(figures).withoutQ99().dropped())
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

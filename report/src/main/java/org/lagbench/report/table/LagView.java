package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.join.PacketCounts;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.CorrectedFigures;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUp;

/**
 * The lag tables: the lag summary table in the form of Norris and Miller's Table 1, the same of the other series, and
 * the counts that tell how far they can be trusted.
 */
final class LagView implements ViewContent {
    private static final String US = "µs";
    private static final String CLOCK = "Clock";

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        tables.add(series(rows, AllSeries.TRANSMIT_LAG));
        if (allSeries) {
            AllSeries.IN_ORDER.stream()
                    .filter(series -> series != AllSeries.TRANSMIT_LAG && has(rows.summary(), series))
                    .map(series -> series(rows, series))
                    .forEach(tables::add);
        }
        tables.add(packets(rows));
        LinkTable.of(rows).ifPresent(tables::add);
        if (rows.summary().corrected() && anyEstimate(rows.summary())) {
            tables.add(offsets(rows));
        }
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        return Notes.ofLags(rows.summary(), rows.axes());
    }

    private static boolean has(Summary summary, Series series) {
        return summary.points().stream()
                .anyMatch(point -> point.pooled().series().containsKey(series));
    }

    private static boolean anyEstimate(Summary summary) {
        return summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .anyMatch(run -> !run.figures().corrected().isEmpty());
    }

    private static Table series(PointRows rows, Series series) {
        Summary summary = rows.summary();
        boolean isLag = series == AllSeries.TRANSMIT_LAG || series == AllSeries.LAG_FROM_SCHEDULE;
        boolean isCorrected = summary.corrected() && series == AllSeries.TRANSMIT_LAG;
        List<Column> columns = rows.columns();
        if (isCorrected) {
            columns.add(Column.text("Lag"));
        }
        columns.add(Column.number("Median", US));
        columns.add(Column.number("Mean", US));
        columns.add(Column.number("Standard deviation", US));
        for (String quantile : List.of("Q95", "Q99")) {
            String group = "With " + quantile + " removed";
            columns.add(Column.number(group, quantile, US));
            columns.add(Column.number(group, "Mean", US));
            columns.add(Column.number(group, "Standard deviation", US));
        }
        if (isLag) {
            columns.add(Column.number(CLOCK, "Bound", ""));
            columns.add(Column.text(CLOCK, "By"));
        }
        return new Table(
                rows.title(series.title() + (isLag ? bounds(summary, isCorrected) : "")),
                columns,
                rows.rows(figures -> seriesRows(figures, series, isLag, isCorrected)));
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

    private static List<List<String>> seriesRows(Figures figures, Series series, boolean isLag, boolean isCorrected) {
        SeriesStatistics statistics = figures.series().get(series);
        if (statistics == null) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> raw = statisticsCells(statistics, isCorrected ? "raw" : null);
        if (isLag) {
            raw.add(Numbers.plusMinus(figures.clock().boundNs()));
            raw.add(
                    figures.clock().boundNs() == null
                            ? Numbers.NONE
                            : ClockText.bases(figures.clock().bases()));
        }
        rows.add(raw);
        if (isCorrected) {
            for (CorrectedFigures corrected : figures.corrected()) {
                List<String> cells =
                        statisticsCells(corrected.lag(), corrected.estimator().text());
                cells.add(Numbers.plusMinus(corrected.uncertaintyNs()));
                cells.add("stamps");
                rows.add(cells);
            }
        }
        return rows;
    }

    private static List<String> statisticsCells(SeriesStatistics statistics, @Nullable String first) {
        List<String> cells = new ArrayList<>();
        if (first != null) {
            cells.add(first);
        }
        cells.add(Numbers.usText(statistics.medianNs()));
        cells.add(Numbers.usText(statistics.meanNs()));
        cells.add(Numbers.usText(statistics.standardDeviationNs()));
        for (TrimmedStatistics trimmed : List.of(statistics.withoutQ95(), statistics.withoutQ99())) {
            cells.add(Numbers.usText(trimmed.quantileNs()));
            cells.add(Numbers.usText(trimmed.meanNs()));
            cells.add(Numbers.usText(trimmed.standardDeviationNs()));
        }
        return cells;
    }

    /** What was taken from the lags of each run. */
    private static Table offsets(PointRows rows) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("Run"));
        columns.add(Column.text("By"));
        columns.add(Column.number("Offset in mid-span", US));
        columns.add(Column.number("Bound", ""));
        columns.add(Column.number("Skew", "ppm"));
        columns.add(Column.number("Skew bound", "ppm"));
        List<List<String>> cells = new ArrayList<>();
        for (PointSummary point : rows.summary().points()) {
            for (RunSummary run : point.runs()) {
                for (CorrectedFigures corrected : run.figures().corrected()) {
                    OffsetEstimate estimate = corrected.estimate();
                    if (estimate != null) {
                        cells.add(List.of(
                                run.name(),
                                corrected.estimator().text(),
                                Numbers.usText((double) estimate.midSpanOffsetNs()),
                                Numbers.plusMinus(estimate.uncertaintyNs()),
                                Numbers.ppm(estimate.line().skewPpm()),
                                Numbers.plusMinusPpm(estimate.skewUncertaintyPpm())));
                    }
                }
            }
        }
        return new Table(rows.title("Receiver's clock less the sender's"), columns, cells);
    }

    private static Table packets(PointRows rows) {
        Summary summary = rows.summary();
        boolean unmatched = summary.points().stream()
                .anyMatch(point -> point.pooled().packets().unmatched() > 0);
        boolean beyondBound = summary.points().stream()
                .anyMatch(point -> isPositive(point.pooled().clock().negativeBeyondBound()));
        List<Column> columns = rows.columns();
        columns.add(Column.number("Runs", ""));
        columns.add(Column.number("Sent", ""));
        columns.add(Column.number("Lost", ""));
        columns.add(Column.number("Dupli- cated", ""));
        columns.add(Column.number("Reor- dered", ""));
        if (unmatched) {
            columns.add(Column.number("Un- matched", ""));
        }
        columns.add(Column.number("Foreign", ""));
        columns.add(Column.number("Kernel drops", ""));
        String lags = "Lags";
        columns.add(Column.number(lags, "n", ""));
        columns.add(Column.number(lags, "Nega- tive", ""));
        if (beyondBound) {
            columns.add(Column.number(lags, "Beyond bound", ""));
        }
        columns.add(Column.number(lags, "Beyond Q95", ""));
        columns.add(Column.number(lags, "Beyond Q99", ""));
        String warm = "Q99 of lag";
        columns.add(Column.number(warm, "First " + WarmUp.FIRST_PACKETS, US));
        columns.add(Column.number(warm, "Rest", US));
        return new Table(
                rows.title("Packets"), columns, rows.rows(figures -> packetRows(figures, unmatched, beyondBound)));
    }

    private static List<List<String>> packetRows(Figures figures, boolean unmatched, boolean beyondBound) {
        SeriesStatistics lag = figures.series().get(AllSeries.TRANSMIT_LAG);
        if (lag == null) {
            return List.of();
        }
        PacketCounts packets = figures.packets();
        List<String> cells = new ArrayList<>();
        cells.add(Integer.toString(figures.runs()));
        cells.add(Numbers.count(packets.sent()));
        cells.add(Numbers.count(packets.lost()));
        cells.add(Numbers.count(packets.duplicated()));
        cells.add(Numbers.count(packets.reordered()));
        if (unmatched) {
            cells.add(Numbers.count(packets.unmatched()));
        }
        cells.add(Numbers.count(figures.foreign()));
        cells.add(Numbers.count(figures.kernelDrops()));
        cells.add(Numbers.count(lag.n()));
        cells.add(Numbers.count(packets.negativeLags()));
        if (beyondBound) {
            cells.add(Numbers.count(figures.clock().negativeBeyondBound()));
        }
        cells.add(Numbers.count(lag.withoutQ95().dropped()));
        cells.add(Numbers.count(lag.withoutQ99().dropped()));
        cells.add(Numbers.usText(figures.warmUp().firstQ99Ns()));
        cells.add(Numbers.usText(figures.warmUp().restQ99Ns()));
        return List.of(cells);
    }

    private static boolean isPositive(@Nullable Long count) {
        return count != null && count > 0;
    }
}

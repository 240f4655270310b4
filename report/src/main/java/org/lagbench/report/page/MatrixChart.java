package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.PairResult;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.report.chart.Axis;
import org.lagbench.report.chart.Cells;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.table.MatrixDocument;
import org.lagbench.report.table.MatrixMetric;

/** Heat maps of a matrix, with a row for each sending site and a column for each receiving site. */
final class MatrixChart {
    private static final double ROW_HEIGHT = 18;

    private MatrixChart() {}

    /** Returns the heat map of a figure. */
    public static Chart of(MatrixResult result, MatrixMetric metric) {
        DoubleSummaryStatistics range = result.pairs().stream()
                .map(pair -> value(pair, metric))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .summaryStatistics();
        List<Cells.Cell> cells = new ArrayList<>();
        List<String> sites = result.sites();
        for (PairResult pair : result.pairs()) {
            Double value = value(pair, metric);
            cells.add(new Cells.Cell(
                    sites.indexOf(pair.to()),
                    sites.indexOf(pair.from()),
                    value == null ? 0 : shade(value, range),
                    MatrixDocument.text(result, metric, pair.from(), pair.to()),
                    value == null,
                    false));
        }
        return chart(metric.title(), sites, cells, List.of("Darker is greater, on a logarithmic scale."));
    }

    private static Chart chart(String title, List<String> sites, List<Cells.Cell> cells, List<String> notes) {
        // the first category of a vertical axis is the lowest, the first row of the table the uppermost
        List<String> fromBottom = new ArrayList<>(sites);
        Collections.reverse(fromBottom);
        List<Cells.Cell> placed = cells.stream()
                .map(cell -> cell.inRow(sites.size() - 1 - cell.row()))
                .toList();
        boolean hasMissing = cells.stream().anyMatch(Cells.Cell::isStruck);
        return new Chart(
                title,
                sites.size() > 5 ? Chart.TWO_COLUMNS : Chart.ONE_COLUMN,
                Axis.categories("To", sites),
                List.of(Chart.Row.of(
                        Axis.categories("From", fromBottom), sites.size() * ROW_HEIGHT, List.of(new Cells(placed)))),
                hasMissing ? List.of(new Chart.Entry("not measured", Cells.struck())) : List.of(),
                notes);
    }

    /** Returns a chart of all pairs. Pairs that share a bottleneck have the letter of their group. */
    public static Chart ofGroups(MatrixResult result) {
        List<String> sites = result.sites();
        List<List<String>> groups = result.groups();
        List<Cells.Cell> cells = new ArrayList<>();
        for (PairResult pair : result.pairs()) {
            int group = 0;
            while (group < groups.size() && !groups.get(group).contains(pair.from() + "/" + pair.to())) {
                group++;
            }
            boolean isShared = group < groups.size();
            cells.add(new Cells.Cell(
                    sites.indexOf(pair.to()),
                    sites.indexOf(pair.from()),
                    isShared ? (1.0 + group) / groups.size() : 0,
                    isShared ? MatrixDocument.groupName(group) : "",
                    false,
                    false));
        }
        return chart(
                "Pairs that share a bottleneck",
                sites,
                cells,
                List.of("Equal letters: these pairs share a bottleneck. Only pairs of the same round were tested."));
    }

    private static @Nullable Double value(PairResult pair, MatrixMetric metric) {
        PairMetrics figures = pair.figures();
        Interval interval = figures == null ? null : metric.interval(figures);
        return interval == null || Double.isNaN(interval.value()) ? null : interval.value();
    }

    private static double shade(double value, DoubleSummaryStatistics positive) {
        if (value <= 0) {
            return 0;
        }
        double least = positive.getMin();
        return positive.getMax() > least ? Math.log(value / least) / Math.log(positive.getMax() / least) : 0.5;
    }
}

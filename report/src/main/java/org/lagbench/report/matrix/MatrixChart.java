package org.lagbench.report.matrix;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.TransferForecast.Interval;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.PairFigures;
import org.lagbench.analysis.matrix.PairResult;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Cells;
import org.lagbench.report.plot.Chart;

/** Heat maps of a matrix: a row for each sending site, a column for each receiving one. */
public final class MatrixChart {
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
        for (int row = 0; row < sites.size(); row++) {
            for (int column = 0; column < sites.size(); column++) {
                PairResult pair = result.pair(sites.get(row), sites.get(column)).orElse(null);
                if (pair != null) {
                    Double value = value(pair, metric);
                    cells.add(new Cells.Cell(
                            column,
                            row,
                            value == null ? 0 : shade(value, range),
                            MatrixDocument.text(result, metric, pair.from(), pair.to()),
                            value == null,
                            false));
                }
            }
        }
        boolean hasMissing = cells.stream().anyMatch(Cells.Cell::isStruck);
        return new Chart(
                metric.title(),
                sites.size() > 5 ? Chart.TWO_COLUMNS : Chart.ONE_COLUMN,
                List.of(new Chart.Column("", Axis.categories("To", sites))),
                List.of(new Chart.Row(
                        Axis.categories("From", sites),
                        sites.size() * ROW_HEIGHT,
                        List.of(new Chart.Panel(List.of(new Cells(cells)))))),
                hasMissing ? List.of(new Chart.Entry("not measured", Cells.struck())) : List.of(),
                List.of("Darker is greater, on a logarithmic scale."));
    }

    private static @Nullable Double value(PairResult pair, MatrixMetric metric) {
        PairFigures figures = pair.figures();
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

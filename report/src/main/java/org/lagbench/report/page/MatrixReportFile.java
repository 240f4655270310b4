package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.report.chart.Axis;
import org.lagbench.report.chart.Cells;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.MatrixDocument;
import org.lagbench.report.table.MatrixMetrics;
import org.lagbench.report.table.MetricScale;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;

/** The report of a matrix: one self-contained HTML file that opens with a heat map of each metric. */
public final class MatrixReportFile {
    private static final double ROW_HEIGHT = 18;

    private MatrixReportFile() {}

    /**
     * Writes the report atomically: a reader sees either the old file or the complete new file.
     *
     * @param judgments what the requirements of the matrix found
     * @param all the tables and the JSON
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(Path file, MatrixResult result, List<Judgment> judgments, Result all)
            throws LagbenchException {
        List<Chart> maps = new ArrayList<>();
        for (Metric<?> metric : result.metrics()) {
            maps.add(map(result, metric, judgments));
        }
        if (!result.sharings().isEmpty()) {
            maps.add(groups(result));
        }
        List<Section> sections = new ArrayList<>();
        sections.add(Section.of(ReportChart.withoutZoom(
                "maps",
                "Maps",
                "Rows send, columns receive. A stronger color is a larger value, on a logarithmic scale.",
                maps)));
        Document tables = all.document().get();
        List<String> titles = maps.stream().map(Chart::title).toList();
        Document others = new Document(
                tables.tables().stream()
                        .filter(table -> !titles.contains(table.title()))
                        .toList(),
                tables.notes());
        if (!others.tables().isEmpty() || !others.notes().isEmpty()) {
            sections.add(Section.of("details", "Details", "tables", others));
        }
        long missing =
                result.pairs().stream().filter(pair -> pair.failure() != null).count();
        new Page(
                        result.name(),
                        Numbers.grouped(result.sites().size()) + " sites with "
                                + Numbers.grouped(result.pairs().size()) + " directed pairs, "
                                + Numbers.grouped(missing) + " of them missing or incomplete.",
                        List.of(),
                        sections,
                        all.text(TableFormat.JSON))
                .write(file);
    }

    /** Returns the heat map of a metric. Pairs that miss a requirement have a thick frame. */
    private static Chart map(MatrixResult result, Metric<?> metric, List<Judgment> judgments) throws LagbenchException {
        List<Judgment> missed = new ArrayList<>();
        for (Judgment row : judgments) {
            if (row.verdict() == Judgment.Outcome.MISSED
                    && MatrixMetrics.named(row.requirement()).equals(metric)) {
                missed.add(row);
            }
        }
        MetricScale scale = MatrixMetrics.scale(result, metric);
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
            cells.add(cell(
                    sites,
                    pair,
                    value == null ? 0 : shade(value, range),
                    MatrixMetrics.text(pair, metric, scale),
                    value == null,
                    missed.stream().anyMatch(row -> isAbout(row, pair))));
        }
        String limits =
                missed.stream().map(row -> row.requirement().text()).distinct().collect(Collectors.joining(", "));
        return chart(
                scale.title(),
                sites,
                cells,
                limits.isEmpty() ? List.of() : List.of("Thick frame: misses " + limits + "."));
    }

    private static boolean isAbout(Judgment judgment, PairResult pair) {
        Judgment.Subject subject = judgment.subject();
        return subject != null && MatrixMetrics.pairName(pair).equals(subject.series());
    }

    private static Cells.Cell cell(
            List<String> sites, PairResult pair, double shade, String text, boolean isStruck, boolean isMarked) {
        // the first category of a vertical axis is the lowest, the first row of the table the uppermost
        int row = sites.size() - 1 - sites.indexOf(pair.from());
        return new Cells.Cell(sites.indexOf(pair.to()), row, shade, text, isStruck, isMarked);
    }

    private static Chart chart(String title, List<String> sites, List<Cells.Cell> cells, List<String> notes) {
        List<String> fromBottom = new ArrayList<>(sites);
        Collections.reverse(fromBottom);
        Axis rows = Axis.categories("From", fromBottom);
        double height = sites.size() * ROW_HEIGHT;
        return Cells.chart(title, Axis.categories("To", sites), rows, height, cells, "not measured", notes);
    }

    /** Returns a chart of all pairs. Pairs that share a bottleneck have the letter of their group. */
    private static Chart groups(MatrixResult result) {
        List<String> sites = result.sites();
        List<List<String>> groups = result.groups();
        List<Cells.Cell> cells = new ArrayList<>();
        for (PairResult pair : result.pairs()) {
            int group = 0;
            while (group < groups.size() && !groups.get(group).contains(pair.from() + "/" + pair.to())) {
                group++;
            }
            boolean isShared = group < groups.size();
            double shade = isShared ? (1.0 + group) / groups.size() : 0;
            cells.add(cell(sites, pair, shade, isShared ? MatrixDocument.groupName(group) : "", false, false));
        }
        return chart(
                "Pairs that share a bottleneck",
                sites,
                cells,
                List.of("Equal letters: these pairs share a bottleneck. Only pairs of the same round were tested."));
    }

    private static @Nullable Double value(PairResult pair, Metric<?> metric) {
        Interval interval = MatrixMetrics.interval(pair, metric);
        return interval == null || Double.isNaN(interval.value()) ? null : interval.value();
    }

    private static double shade(double value, DoubleSummaryStatistics positive) {
        if (value <= 0) {
            return 0;
        }
        double min = positive.getMin();
        return positive.getMax() > min ? Math.log(value / min) / Math.log(positive.getMax() / min) : 0.5;
    }
}

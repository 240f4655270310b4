package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.Point;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;

/** What tables with a row a point, or a row a run and a point, have in common: the columns that tell rows apart. */
final class PointRows {
    private static final String POOLED = "pooled";

    private final Summary summary;
    private final Axes axes;
    private final boolean everyRun;

    PointRows(Summary summary, boolean everyRun) {
        this.summary = summary;
        this.axes = new Axes(summary.points().stream().map(PointSummary::point).toList());
        this.everyRun = everyRun;
    }

    /** What the rows are of. */
    Summary summary() {
        return summary;
    }

    /** The columns that tell points apart. */
    Axes axes() {
        return axes;
    }

    /** A list that begins with the columns that tell rows apart. */
    List<Column> columns() {
        List<Column> columns = new ArrayList<>(axes.columns());
        if (everyRun) {
            columns.add(Column.text("Run"));
        }
        return columns;
    }

    /** A title at the head of which runs on clocks that were over the limit are known. */
    String title(String text) {
        boolean accepted = summary.points().stream()
                .anyMatch(point -> !point.pooled().clock().accepted().isEmpty());
        return accepted ? "ACCEPTED UNSYNCHRONIZED: " + text : text;
    }

    /** The rows of a point, or those of each of its runs and of them pooled; none where there are no cells. */
    List<List<String>> rows(Function<Figures, List<List<String>>> cells) {
        return rowsOfRuns((point, figures) -> cells.apply(figures));
    }

    /** The same, of cells that need to know the point. */
    List<List<String>> rowsOfRuns(BiFunction<PointSummary, Figures, List<List<String>>> cells) {
        List<List<String>> rows = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            if (everyRun) {
                for (RunSummary run : point.runs()) {
                    addRows(rows, point.point(), run.name(), cells.apply(point, run.figures()));
                }
            }
            addRows(rows, point.point(), POOLED, cells.apply(point, point.pooled()));
        }
        return rows;
    }

    private void addRows(List<List<String>> rows, Point point, String run, List<List<String>> added) {
        for (List<String> cells : added) {
            List<String> row = new ArrayList<>(axes.cells(point));
            if (everyRun) {
                row.add(run);
            }
            row.addAll(cells);
            rows.add(row);
        }
    }
}

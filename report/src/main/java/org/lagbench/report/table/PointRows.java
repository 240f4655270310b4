package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;

/** Makes tables with rows for each point, or for each run and point, behind the columns that tell these apart. */
final class PointRows {
    private final Summary summary;
    private final Axes axes;
    private final boolean everyRun;

    PointRows(Summary summary, boolean everyRun) {
        this.summary = summary;
        this.axes = new Axes(summary.points().stream().map(PointSummary::point).toList());
        this.everyRun = everyRun;
    }

    /** Returns what the rows are of. */
    Summary summary() {
        return summary;
    }

    /** Returns the columns that tell points apart. */
    Axes axes() {
        return axes;
    }

    /** Whether any point is such. */
    boolean any(Predicate<PointSummary> is) {
        return summary.points().stream().anyMatch(is);
    }

    /** Returns a title at the head of which runs on clocks that were over the limit are known. */
    String title(String text) {
        boolean accepted = any(point -> !point.pooled().clock().accepted().isEmpty());
        return accepted ? "ACCEPTED UNSYNCHRONIZED: " + text : text;
    }

    /** Returns a table with the rows of the figures of each point, or of each of its runs and of them pooled. */
    <R> Table table(String title, TableColumns<R> columns, Function<Figures, List<R>> rows) {
        return tableOfPoints(title, columns, (point, figures) -> rows.apply(figures));
    }

    /** Returns the same of rows that are made of the point as well. */
    <R> Table tableOfPoints(String title, TableColumns<R> columns, BiFunction<PointSummary, Figures, List<R>> rows) {
        List<List<String>> cells = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            if (everyRun) {
                for (RunSummary run : point.runs()) {
                    add(cells, point.point(), run.name(), columns, rows.apply(point, run.figures()));
                }
            }
            add(cells, point.point(), "pooled", columns, rows.apply(point, point.pooled()));
        }
        List<Column> all = new ArrayList<>(axes.columns());
        if (everyRun) {
            all.add(Column.text("Run"));
        }
        all.addAll(columns.columns());
        return new Table(title(title), all, cells);
    }

    private <R> void add(List<List<String>> cells, PointKey point, String run, TableColumns<R> columns, List<R> rows) {
        for (R row : rows) {
            List<String> line = new ArrayList<>(axes.cells(point));
            if (everyRun) {
                line.add(run);
            }
            line.addAll(columns.cells(row));
            cells.add(line);
        }
    }
}

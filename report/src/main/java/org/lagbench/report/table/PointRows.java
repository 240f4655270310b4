package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary;

/**
 * Creates tables with rows for each point, or for each run and point.
 *
 * @param axes the first columns, which distinguish points
 */
public record PointRows(Summary summary, TableColumns<MeasuredPoint> axes, TableView view) {
    /** A row with the point and the run that it belongs to. */
    private record NamedRow<R>(MeasuredPoint point, String run, R row) {}

    PointRows(Summary summary, TableView view) {
        this(summary, view, summary.points().stream().map(PointSummary::point).toList());
    }

    /** Creates tables with the columns that distinguish these points, which may be more than those of the summary. */
    PointRows(Summary summary, TableView view, List<MeasuredPoint> distinguished) {
        this(summary, Axes.of(distinguished), view);
    }

    /** Returns the name of a point in a sentence. */
    String name(PointSummary point) {
        return String.join(", ", axes.cells(point.point()));
    }

    /** Returns the metrics of a group of each point that has them, of its runs pooled. */
    <T> List<T> pooled(MetricGroup<@Nullable T> group) {
        List<T> all = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            T values = point.pooled().get(group);
            if (values != null) {
                all.add(values);
            }
        }
        return all;
    }

    boolean any(Predicate<PointSummary> predicate) {
        return summary.points().stream().anyMatch(predicate);
    }

    /** Returns the series in the tables: the lag, and if all are requested, every other series with data. */
    List<PacketDelay> series() {
        return Arrays.stream(PacketDelay.values())
                .filter(series -> series == PacketDelay.TRANSMIT_LAG
                        || (view.allSeries()
                                && any(point -> point.pooled().series().containsKey(series))))
                .toList();
    }

    /** Returns the title of a table, marked if runs began with clocks over the limit. */
    String title(String text) {
        boolean isMarked = any(point -> !point.pooled().clock().accepted().isEmpty());
        return isMarked ? "ACCEPTED UNSYNCHRONIZED: " + text : text;
    }

    /** Returns a table with the rows of each point's metrics, or of each run's and of the pooled metrics. */
    <R> Table table(String title, TableColumns<R> columns, Function<Metrics, List<R>> rows) {
        return tableOfPoints(title, columns, (point, metrics) -> rows.apply(metrics));
    }

    /** Returns a table with a row for each point, or run, that has the metrics of a group. */
    public <T> Table table(String title, TableColumns<T> columns, MetricGroup<@Nullable T> group) {
        return table(title, columns, group, List::of);
    }

    /** Returns a table with the rows derived from the metrics of a group, for the points and runs that have them. */
    <T, R> Table table(
            String title, TableColumns<R> columns, MetricGroup<@Nullable T> group, Function<T, List<R>> rows) {
        return table(title, columns, metrics -> {
            T values = metrics.get(group);
            return values == null ? List.of() : rows.apply(values);
        });
    }

    /** Returns a table with the rows of each point. */
    <R> Table pooledTable(String title, TableColumns<R> columns, Function<PointSummary, List<R>> rows) {
        List<NamedRow<R>> named = new ArrayList<>();
        summary.points()
                .forEach(point -> rows.apply(point).forEach(row -> named.add(new NamedRow<>(point.point(), "", row))));
        return table(title, new TableColumns<>(), columns, named);
    }

    /** Like {@link #table}, for rows that also depend on the point. */
    <R> Table tableOfPoints(String title, TableColumns<R> columns, BiFunction<PointSummary, Metrics, List<R>> rows) {
        List<NamedRow<R>> named = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            for (RunSummary run : view.everyRun() ? point.runs() : List.<RunSummary>of()) {
                rows.apply(point, run.metrics())
                        .forEach(row -> named.add(new NamedRow<>(point.point(), run.name(), row)));
            }
            rows.apply(point, point.pooled()).forEach(row -> named.add(new NamedRow<>(point.point(), "pooled", row)));
        }
        TableColumns<NamedRow<R>> runs = new TableColumns<>();
        return table(title, view.everyRun() ? runs.text("Run", NamedRow::run) : runs, columns, named);
    }

    private <R> Table table(
            String title, TableColumns<NamedRow<R>> runs, TableColumns<R> columns, List<NamedRow<R>> rows) {
        return new TableColumns<NamedRow<R>>()
                .addAll(axes, NamedRow::point)
                .addAll(runs, row -> row)
                .addAll(columns, NamedRow::row)
                .table(title(title), rows, axes.columns().size());
    }
}

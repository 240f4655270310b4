package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Statistic;

/**
 * The columns of a table, each with a function that makes its cells.
 *
 * @param <R> the type of a row
 */
public final class TableColumns<R> {
    private final List<Table.Column> columns = new ArrayList<>();
    private final List<Function<R, String>> cells = new ArrayList<>();
    private String group = "";

    /** Begins a group of columns; "" ends it. */
    public TableColumns<R> group(String title) {
        group = title;
        return this;
    }

    public TableColumns<R> text(String header, Function<R, String> cell) {
        return add(new Table.Column(group, header, "", true), cell);
    }

    public TableColumns<R> number(String header, String unit, Function<R, String> cell) {
        return add(new Table.Column(group, header, unit, false), cell);
    }

    /** Adds a column of counts, null where one is unknown. */
    public TableColumns<R> count(String header, Function<R, @Nullable Long> count) {
        return number(header, "", row -> Numbers.count(count.apply(row)));
    }

    /** Adds a column of what should be 0: other counts are marked, and red on a terminal. */
    TableColumns<R> misses(String header, Function<R, Long> count) {
        return number(header, "", row -> (count.apply(row) == 0 ? "" : "! ") + Numbers.count(count.apply(row)));
    }

    /** Adds a column of numbers that are whole or means, the latter with two decimals. */
    public TableColumns<R> mean(String header, String unit, ToDoubleFunction<R> number) {
        return number(header, unit, row -> Numbers.countText(number.applyAsDouble(row)));
    }

    /** Adds a column of durations, given in ns and shown in µs. */
    public TableColumns<R> us(String header, ToDoubleFunction<R> ns) {
        return number(header, "µs", row -> Numbers.usText(ns.applyAsDouble(row)));
    }

    /** Adds a column of durations, given in ns and shown in µs with fewer digits than {@link #us}. */
    TableColumns<R> briefUs(String header, ToDoubleFunction<R> ns) {
        return number(header, "µs", row -> Numbers.briefUsText(ns.applyAsDouble(row)));
    }

    /** Adds a column for each of some statistics of a series, as {@link #briefUs}. */
    TableColumns<R> brief(Function<R, SeriesStatistics> series, List<Statistic> statistics) {
        for (Statistic statistic : statistics) {
            briefUs(statistic.title(), row -> statistic.ns(series.apply(row)));
        }
        return this;
    }

    /** Adds a column of numbers with that many decimals. */
    public TableColumns<R> fixed(int decimals, String header, String unit, ToDoubleFunction<R> number) {
        return number(header, unit, row -> Numbers.fixed(decimals, number.applyAsDouble(row)));
    }

    /** Adds a column of numbers of unknown unit and magnitude, with six significant digits. */
    public TableColumns<R> plain(String header, ToDoubleFunction<R> number) {
        return number(header, "", row -> Numbers.sixDigits(number.applyAsDouble(row)));
    }

    /** Adds a column of fractions, shown as percentages. */
    public TableColumns<R> percent(String header, ToDoubleFunction<R> fraction) {
        return number(header, "%", row -> Numbers.percent(fraction.applyAsDouble(row)));
    }

    /** Adds the columns of a part of the row. */
    public <P> TableColumns<R> addAll(TableColumns<P> others, Function<R, P> part) {
        columns.addAll(others.columns);
        others.cells.forEach(cell -> cells.add(cell.compose(part)));
        return this;
    }

    public List<Table.Column> columns() {
        return columns;
    }

    public List<String> cells(R row) {
        return cells.stream().map(cell -> cell.apply(row)).toList();
    }

    public Table table(String title, List<R> rows) {
        return new Table(title, columns, rows.stream().map(this::cells).toList());
    }

    /** Returns a table of the given rows. Its first columns name the point. */
    public Table table(String title, List<R> rows, int axes) {
        return new Table(title, columns, rows.stream().map(this::cells).toList(), axes);
    }

    private TableColumns<R> add(Table.Column column, Function<R, String> cell) {
        columns.add(column);
        cells.add(cell);
        return this;
    }
}

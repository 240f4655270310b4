package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table, each with what its cells show of a row.
 *
 * @param <R> what a row is made of
 */
final class TableColumns<R> {
    private final List<Column> columns = new ArrayList<>();
    private final List<Function<R, String>> cells = new ArrayList<>();
    private String group = "";

    /** Begins a group of columns; "" ends it. */
    TableColumns<R> group(String title) {
        group = title;
        return this;
    }

    /** Adds a column of words. */
    TableColumns<R> text(String header, Function<R, String> cell) {
        return add(new Column(group, header, "", true), cell);
    }

    /** Adds a column of numbers. */
    TableColumns<R> number(String header, String unit, Function<R, String> cell) {
        return add(new Column(group, header, unit, false), cell);
    }

    /** Adds a column of counts, null where one is unknown. */
    TableColumns<R> count(String header, Function<R, @Nullable Long> count) {
        return number(header, "", row -> Numbers.count(count.apply(row)));
    }

    /** Adds a column of numbers that are whole, or means with two decimals. */
    TableColumns<R> mean(String header, String unit, ToDoubleFunction<R> number) {
        return number(header, unit, row -> Numbers.countText(number.applyAsDouble(row)));
    }

    /** Adds a column of durations, given in ns and shown in µs. */
    TableColumns<R> us(String header, ToDoubleFunction<R> ns) {
        return number(header, "µs", row -> Numbers.usText(ns.applyAsDouble(row)));
    }

    /** Adds a column of shares of 1, shown as per cent. */
    TableColumns<R> percent(String header, ToDoubleFunction<R> share) {
        return number(header, "%", row -> Numbers.percent(share.applyAsDouble(row)));
    }

    /** Returns the columns. */
    List<Column> columns() {
        return columns;
    }

    /** Returns the cells of a row. */
    List<String> cells(R row) {
        return cells.stream().map(cell -> cell.apply(row)).toList();
    }

    private TableColumns<R> add(Column column, Function<R, String> cell) {
        columns.add(column);
        cells.add(cell);
        return this;
    }
}

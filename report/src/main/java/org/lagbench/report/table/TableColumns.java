package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
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
    private final List<Cell<R>> cells = new ArrayList<>();
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

    /**
     * Adds a column of times. The columns of times of a group share a {@link TimeScale}.
     *
     * @param ns the time in ns; infinite for the open end of an interval
     */
    public TableColumns<R> time(String header, ToDoubleFunction<R> ns) {
        columns.add(new Table.Column(group, header, "", false));
        cells.add(new Cell<>(ns, (row, unit) -> unit.text(ns.applyAsDouble(row))));
        return this;
    }

    /** Adds a column of times for each of some statistics of a series. */
    TableColumns<R> times(Function<R, SeriesStatistics> series, List<Statistic> statistics) {
        for (Statistic statistic : statistics) {
            time(statistic.title(), row -> statistic.ns(series.apply(row)));
        }
        return this;
    }

    /** Adds a column of times in µs with four significant digits, given in ns: those that papers print. */
    public TableColumns<R> us(String header, ToDoubleFunction<R> ns) {
        return number(header, "µs", row -> Numbers.usText(ns.applyAsDouble(row)));
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
        others.cells.forEach(cell -> cells.add(cell.of(part)));
        return this;
    }

    /** Returns the columns; those of times have no unit, which depends on the rows of a table. */
    public List<Table.Column> columns() {
        return columns;
    }

    /** Returns the cells of a row, with times in µs. */
    public List<String> cells(R row) {
        return cells.stream()
                .map(cell -> cell.text().apply(row, TimeScale.MICROSECONDS))
                .toList();
    }

    public Table table(String title, List<R> rows) {
        return table(title, rows, 0);
    }

    /** Returns a table of the given rows. Its first columns name the point. */
    public Table table(String title, List<R> rows, int axes) {
        Map<String, TimeScale> units = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            units.computeIfAbsent(columns.get(i).group(), group -> TimeScale.of(timesNs(group, rows)));
        }
        List<Table.Column> headed = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Table.Column column = columns.get(i);
            headed.add(cells.get(i).ns() == null ? column : column.in(unit(units, column)));
        }
        return new Table(
                title,
                headed,
                rows.stream()
                        .map(row -> IntStream.range(0, columns.size())
                                .mapToObj(i -> cells.get(i).text().apply(row, unit(units, columns.get(i))))
                                .toList())
                        .toList(),
                axes);
    }

    private static TimeScale unit(Map<String, TimeScale> units, Table.Column column) {
        return Objects.requireNonNull(units.get(column.group()));
    }

    private DoubleStream timesNs(String group, List<R> rows) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).group().equals(group))
                .mapToObj(i -> cells.get(i).ns())
                .filter(Objects::nonNull)
                .flatMapToDouble(ns -> rows.stream().mapToDouble(ns));
    }

    private TableColumns<R> add(Table.Column column, Function<R, String> cell) {
        columns.add(column);
        cells.add(new Cell<>(null, (row, unit) -> cell.apply(row)));
        return this;
    }

    /**
     * What makes the cells of a column.
     *
     * @param ns the time in ns of a column of times; null in others
     * @param text of a row, with its times in that unit
     */
    private record Cell<R>(@Nullable ToDoubleFunction<R> ns, BiFunction<R, TimeScale, String> text) {
        <W> Cell<W> of(Function<W, R> part) {
            ToDoubleFunction<R> time = ns;
            return new Cell<>(
                    time == null ? null : row -> time.applyAsDouble(part.apply(row)),
                    (row, unit) -> text.apply(part.apply(row), unit));
        }
    }
}

package org.lagbench.report.forecast;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.analysis.forecast.CapturedInterval;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.report.table.ValueText;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.ResultMapper;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.TableFormat;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The table of a monitor's session, with a row for each series. */
public final class SeriesTable {
    private static final List<String> COLUMNS = List.of(
            "series",
            "unit",
            "values",
            "missing",
            "mean",
            "standardDeviation",
            "median",
            "last",
            "forecast",
            "low",
            "high",
            "forecaster");

    private SeriesTable() {}

    public static void write(String session, List<SeriesSummary> series, TableFormat format, Appendable out)
            throws IOException {
        StringBuilder text = new StringBuilder();
        switch (format) {
            case CSV -> csv(series, text);
            case JSON -> text.append(json(session, series));
            default -> format.write(document(series), text);
        }
        out.append(text);
    }

    /** Returns the table with its notes. */
    public static Document document(List<SeriesSummary> series) {
        Table table = new TableColumns<SeriesSummary>()
                .text("Series", row -> row.series().name())
                .text("Unit", row -> row.series().unit())
                .number("n", "", row -> Numbers.grouped(row.values()))
                .number("Missing", "", row -> Numbers.grouped(row.missing()))
                .number("Mean", "", row -> ValueText.of(row.mean()))
                .number("SD", "", row -> ValueText.of(row.standardDeviation()))
                .number("Median", "", row -> ValueText.of(row.median()))
                .number("Last", "", row -> ValueText.of(row.last()))
                .group("Next value")
                .number("Forecast", "", row -> ValueText.of(row.forecast().forecast()))
                .number("Low", "", row -> ValueText.of(interval(row).low()))
                .number("High", "", row -> ValueText.of(interval(row).high()))
                .text("Forecaster", row -> row.forecast().forecaster())
                .table("Series", series);
        List<String> notes = new ArrayList<>();
        notes.add("Low and high: forecast ± 2√MSE. The forecaster is the one with the least MSE so far.");
        for (SeriesSummary row : series) {
            if (row.missing() > 0) {
                notes.add(row.series().name() + ": missing are "
                        + row.missingByState().entrySet().stream()
                                .map(state -> Numbers.grouped(state.getValue()) + " " + state.getKey())
                                .collect(Collectors.joining(", "))
                        + ".");
            }
        }
        return new Document(List.of(table), List.of(), notes);
    }

    private static CapturedInterval interval(SeriesSummary row) {
        return row.forecast().mseInterval();
    }

    private static void csv(List<SeriesSummary> series, StringBuilder text) {
        text.append(String.join(",", COLUMNS)).append('\n');
        for (SeriesSummary row : series) {
            text.append(String.join(
                            ",",
                            row.series().name(),
                            row.series().unit(),
                            Long.toString(row.values()),
                            Long.toString(row.missing()),
                            ValueText.exact(row.mean()),
                            ValueText.exact(row.standardDeviation()),
                            ValueText.exact(row.median()),
                            ValueText.exact(row.last()),
                            ValueText.exact(row.forecast().forecast()),
                            ValueText.exact(interval(row).low()),
                            ValueText.exact(interval(row).high()),
                            row.forecast().forecaster()))
                    .append('\n');
        }
    }

    /** Returns all figures as JSON. */
    public static String json(String session, List<SeriesSummary> series) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", "lagbench-monitor-1");
        root.put("session", session);
        ArrayNode all = root.putArray("series");
        series.forEach(one -> all.add(ResultMapper.tree(one)));
        return ResultMapper.text(root);
    }
}

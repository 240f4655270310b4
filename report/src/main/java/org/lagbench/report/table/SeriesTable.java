package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesSummary;
import tools.jackson.databind.JsonNode;

/** The table of a monitor's session, with a row for each series. */
public final class SeriesTable {
    private SeriesTable() {}

    /** Returns the table of a session's series in all formats. */
    public static Result result(String session, List<SeriesSummary> series) {
        return new Result(() -> document(series), () -> tree(session, series), tree -> series.stream()
                .map(SeriesTable::row)
                .toList());
    }

    /** Returns the table with its notes. */
    public static Document document(List<SeriesSummary> series) {
        Table table = new TableColumns<SeriesSummary>()
                .text("Series", row -> row.series().name())
                .text("Unit", row -> row.series().unit())
                .number("n", "", row -> Numbers.grouped(row.values()))
                .number("Missing", "", row -> Numbers.grouped(row.missing()))
                .plain("Mean", row -> row.mean())
                .plain("SD", row -> row.standardDeviation())
                .plain("Median", row -> row.median())
                .plain("Last", row -> row.last())
                .group("Next value")
                .plain("Forecast", row -> row.forecast().forecast())
                .plain("Low", row -> interval(row).low())
                .plain("High", row -> interval(row).high())
                .text("Forecaster", row -> row.forecast().forecaster())
                .table("Series", series);
        List<String> notes = new ArrayList<>();
        notes.add("Low and high: forecast ± 2√MSE. The forecaster is the one with the lowest MSE so far.");
        for (SeriesSummary row : series) {
            if (row.missing() > 0) {
                notes.add(row.series().name() + ": missing are "
                        + row.missingByState().entrySet().stream()
                                .map(state -> Numbers.grouped(state.getValue()) + " " + state.getKey())
                                .collect(Collectors.joining(", "))
                        + ".");
            }
        }
        return new Document(List.of(table), notes);
    }

    private static CoveredInterval interval(SeriesSummary row) {
        return row.forecast().mseInterval();
    }

    private static Map<String, String> row(SeriesSummary row) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("series", row.series().name());
        cells.put("unit", row.series().unit());
        cells.put("values", Long.toString(row.values()));
        cells.put("missing", Long.toString(row.missing()));
        cells.put("mean", Numbers.exact(row.mean()));
        cells.put("standardDeviation", Numbers.exact(row.standardDeviation()));
        cells.put("median", Numbers.exact(row.median()));
        cells.put("last", Numbers.exact(row.last()));
        cells.put("forecast", Numbers.exact(row.forecast().forecast()));
        cells.put("low", Numbers.exact(interval(row).low()));
        cells.put("high", Numbers.exact(interval(row).high()));
        cells.put("forecaster", row.forecast().forecaster());
        return cells;
    }

    private static JsonNode tree(String session, List<SeriesSummary> series) {
        Map<String, @Nullable Object> members = Result.members("lagbench-monitor-1", "session", session);
        members.put("series", series);
        return ResultMapper.tree(members);
    }
}

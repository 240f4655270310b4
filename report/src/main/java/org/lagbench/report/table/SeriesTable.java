package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.summary.ResultMapper;

/** The table of a monitor's session, with a row for each series. */
public final class SeriesTable {
    private SeriesTable() {}

    /** Returns the table of a session's series with its notes, in all formats. */
    public static Result result(String session, List<SeriesSummary> series) {
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
                notes.add(row.series().name() + ": values are missing ("
                        + row.missingByState().entrySet().stream()
                                .map(state -> Numbers.grouped(state.getValue()) + " " + state.getKey())
                                .collect(Collectors.joining(", "))
                        + ").");
            }
        }
        Map<String, @Nullable Object> members = Result.members("lagbench-monitor-2", "session", session);
        members.put("series", series);
        Document document = new Document(List.of(table), notes);
        return new Result(() -> document, () -> ResultMapper.tree(members), tree -> series.stream()
                .map(SeriesTable::row)
                .toList());
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
}

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.lagbench.analysis.forecast.SeriesForecast;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecast.RollingQuantiles;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.summary.ResultMapper;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The forecast of a series: sentences and tables, or every number for programs.
 *
 * @param name the name of the series
 */
public record ForecastReport(SeriesForecast forecast, String name) {
    /** Returns the forecast in all formats. */
    public Result result() {
        return new Result(this::document, this::tree, tree -> rows());
    }

    private Document document() {
        return new Document(sentences(), List.of(steps(), selected(), forecasters()), notes());
    }

    private JsonNode tree() {
        ObjectNode root = (ObjectNode) ResultMapper.tree(Result.members("lagbench-forecast-1", "series", name));
        return root.setAll((ObjectNode) ResultMapper.tree(forecast));
    }

    /** Returns a row for each forecaster at each step; the intervals are the selected forecaster's. */
    private List<Map<String, String>> rows() {
        List<Map<String, String>> rows = new ArrayList<>();
        for (StepForecast step : forecast.steps()) {
            for (ForecasterScore score : step.forecasters()) {
                boolean isSelected = score.name().equals(step.forecaster());
                Map<String, String> row = new LinkedHashMap<>();
                row.put("step", Integer.toString(step.step()));
                row.put("forecaster", score.name());
                row.put("kind", score.kind().text());
                row.put("selected", Boolean.toString(isSelected));
                row.put("forecast", Numbers.exact(score.forecast()));
                row.put("mse", Numbers.exact(score.mse()));
                row.put("mae", Numbers.exact(score.mae()));
                row.put("errors", Long.toString(step.errors()));
                if (isSelected) {
                    putInterval(row, "mse", step.mseInterval());
                    putInterval(row, "conformal", step.conformalInterval());
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static void putInterval(Map<String, String> row, String kind, CoveredInterval interval) {
        row.put(kind + "Low", Numbers.exact(interval.low()));
        row.put(kind + "High", Numbers.exact(interval.high()));
        row.put(kind + "Captured", Numbers.exact(interval.share()));
    }

    private List<String> sentences() {
        StepForecast next = forecast.next();
        return List.of(
                name + ": " + Numbers.grouped(forecast.values()) + " values, " + Numbers.grouped(forecast.missing())
                        + " missing.",
                "The next value is forecast as " + Numbers.sixDigits(next.forecast()) + " by \"" + next.forecaster()
                        + "\""
                        + (next.uses().equals(next.forecaster()) ? "" : ", which now uses \"" + next.uses() + "\"")
                        + ": " + reason(next));
    }

    private String reason(StepForecast next) {
        if (next.errors() == 0) {
            return "no forecast could be scored yet, so the first forecaster is used.";
        }
        String scored = Numbers.grouped(next.errors()) + " scored forecasts.";
        return switch (forecast.selection()) {
            case PAPER -> "of the 18 primary forecasters it has the lowest MSE in " + scored;
            case NWS -> "of the 16 derived forecasters it has the lowest squared error in " + scored;
            case MAE -> "of the 18 primary forecasters it has the lowest MAE in " + scored;
        };
    }

    private Table steps() {
        TableColumns<StepForecast> columns = new TableColumns<StepForecast>()
                .number("Step", "", row -> Integer.toString(row.step()))
                .plain("Forecast", row -> row.forecast());
        addInterval(columns.group("Forecast ± 2√MSE"), StepForecast::mseInterval);
        addInterval(columns.group("Conformal, for 95 %"), StepForecast::conformalInterval);
        return columns.table("Next values", forecast.steps());
    }

    /** Returns the selected forecasters; no rows for a single step, whose forecaster the sentence above names. */
    private Table selected() {
        return new TableColumns<StepForecast>()
                .number("Step", "", row -> Integer.toString(row.step()))
                .text("Forecaster", StepForecast::forecaster)
                .number("Scored", "", row -> Numbers.grouped(row.errors()))
                .plain("MSE", row -> row.mse())
                .plain("MAE", row -> row.mae())
                .table("Selected forecasters", forecast.steps().size() > 1 ? forecast.steps() : List.of());
    }

    private static void addInterval(
            TableColumns<StepForecast> columns, Function<StepForecast, CoveredInterval> interval) {
        columns.plain("Low", row -> interval.apply(row).low())
                .plain("High", row -> interval.apply(row).high())
                .fixed(2, "Captured", "%", row -> 100 * interval.apply(row).share());
    }

    private Table forecasters() {
        String selected = forecast.next().forecaster();
        return new TableColumns<ForecasterScore>()
                .text("Forecaster", ForecasterScore::name)
                .text("Kind", row -> row.kind().text())
                .plain("Next", row -> row.forecast())
                .plain("MSE", row -> row.mse())
                .plain("MAE", row -> row.mae())
                .text("", row -> row.name().equals(selected) ? "selected" : "")
                .table("Forecasters of the next value", forecast.next().forecasters());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Captured: the share of past values that were inside their intervals.");
        RollingQuantiles quantiles = forecast.quantiles();
        notes.add("Quantiles of the last " + quantiles.values() + " values: 5 % " + Numbers.sixDigits(quantiles.q05())
                + ", 25 % " + Numbers.sixDigits(quantiles.q25()) + ", median " + Numbers.sixDigits(quantiles.median())
                + ", 75 % "
                + Numbers.sixDigits(quantiles.q75()) + ", 95 % " + Numbers.sixDigits(quantiles.q95()) + ".");
        if (forecast.levelChanges() > 0) {
            notes.add("Changes of level: " + Numbers.grouped(forecast.levelChanges()) + ", the last at value "
                    + Numbers.grouped(forecast.lastLevelChange()) + "."
                    + (forecast.selection() == Selection.NWS
                            ? ""
                            : " Errors before a change still count; --select nws follows changes faster."));
        }
        return notes;
    }
}

package org.lagbench.report.forecast;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.forecast.CoveredInterval;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecast;
import org.lagbench.analysis.forecast.StepForecast;
import org.lagbench.report.table.ComparisonDocument;
import org.lagbench.report.table.CsvRows;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.ResultMapper;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Forecasts and comparisons for programs. */
final class ForecastDocument {
    private ForecastDocument() {}

    static String json(SeriesForecast forecast, String name) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", "lagbench-forecast-1");
        root.put("series", name);
        root.setAll((ObjectNode) ResultMapper.tree(forecast));
        return ResultMapper.text(root);
    }

    static String json(Equivalence equivalence) {
        return ResultMapper.text(ComparisonDocument.tree(equivalence));
    }

    /** Returns a row for each forecaster at each step; the intervals are those of the selected one. */
    static String csv(SeriesForecast forecast) {
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
        return CsvRows.text(rows);
    }

    private static void putInterval(Map<String, String> row, String kind, CoveredInterval interval) {
        row.put(kind + "Low", Numbers.exact(interval.low()));
        row.put(kind + "High", Numbers.exact(interval.high()));
        row.put(kind + "Captured", Numbers.exact(interval.share()));
    }

    /** Returns a row for each figure, with the path of its value in the JSON. */
    static String csv(Equivalence equivalence) {
        List<Map<String, String>> rows = new ArrayList<>();
        addRows(rows, "", ComparisonDocument.tree(equivalence));
        return CsvRows.text(rows);
    }

    private static void addRows(List<Map<String, String>> rows, String path, JsonNode node) {
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                addRows(rows, path + "." + i, node.get(i));
            }
        } else if (node.isObject()) {
            node.properties()
                    .forEach(member -> addRows(
                            rows, path.isEmpty() ? member.getKey() : path + "." + member.getKey(), member.getValue()));
        } else {
            Map<String, String> row = new LinkedHashMap<>();
            row.put("figure", path);
            row.put("value", node.isNull() ? "" : node.asString());
            rows.add(row);
        }
    }
}

package org.lagbench.report.forecast;

import java.util.List;
import java.util.Map;
import org.lagbench.analysis.forecast.CoveredInterval;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecast;
import org.lagbench.analysis.forecast.StepForecast;
import org.lagbench.report.table.ComparisonDocument;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.ResultMapper;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Forecasts and comparisons for programs. */
final class ForecastDocument {
    private static final List<String> COLUMNS = List.of(
            "step",
            "forecaster",
            "kind",
            "selected",
            "forecast",
            "mse",
            "mae",
            "errors",
            "mseLow",
            "mseHigh",
            "mseCaptured",
            "conformalLow",
            "conformalHigh",
            "conformalCaptured");

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
        StringBuilder text = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        for (StepForecast step : forecast.steps()) {
            for (ForecasterScore score : step.forecasters()) {
                boolean isSelected = score.name().equals(step.forecaster());
                text.append(String.join(
                                ",",
                                Integer.toString(step.step()),
                                score.name(),
                                score.kind().text(),
                                Boolean.toString(isSelected),
                                Numbers.exact(score.forecast()),
                                Numbers.exact(score.mse()),
                                Numbers.exact(score.mae()),
                                Long.toString(step.errors()),
                                isSelected ? interval(step.mseInterval()) : ",,",
                                isSelected ? interval(step.conformalInterval()) : ",,"))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String interval(CoveredInterval interval) {
        return Numbers.exact(interval.low()) + "," + Numbers.exact(interval.high()) + ","
                + Numbers.exact(interval.share());
    }

    /** Returns a row for each figure, with the path of its value in the JSON. */
    static String csv(Equivalence equivalence) {
        StringBuilder text = new StringBuilder("figure,value\n");
        append(text, "", ComparisonDocument.tree(equivalence));
        return text.toString();
    }

    private static void append(StringBuilder text, String path, JsonNode node) {
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                append(text, path + "." + i, node.get(i));
            }
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                append(text, path.isEmpty() ? member.getKey() : path + "." + member.getKey(), member.getValue());
            }
        } else {
            String value = node.isNull() ? "" : node.asString();
            text.append(path)
                    .append(',')
                    .append(value.matches("[^,\"\n\r]*") ? value : '"' + value.replace("\"", "\"\"") + '"')
                    .append('\n');
        }
    }
}

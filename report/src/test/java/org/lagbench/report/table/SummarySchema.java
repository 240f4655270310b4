package org.lagbench.report.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes the declared metrics into the schema of summaries, which a person writes apart from them. */
final class SummarySchema {
    static final Path PAGE = Path.of("..", "docs", "reference", "summary.schema.json");
    private static final int WIDTH = 140;
    private static final String NAMES = "*";

    private SummarySchema() {}

    /** Returns the schema with the metrics that points can have. */
    static ObjectNode read() throws IOException {
        ObjectNode schema = (ObjectNode) JsonMapper.shared().readTree(PAGE);
        ObjectNode metrics = (ObjectNode) schema.at("/$defs/Metrics");
        ObjectNode single = metrics.putObject("properties");
        ObjectNode families = metrics.putObject("patternProperties");
        for (Metric<?> metric : MetricRegistry.all()) {
            if (MetricGroups.isOfPoints(metric)) {
                boolean isFamily = metric.id().contains(NAMES);
                String name = isFamily ? "^" + metric.id().replace(".", "[.]").replace(NAMES, ".+") + "$" : metric.id();
                (isFamily ? families : single)
                        .putObject(name)
                        .put("description", metric.title() + ": " + metric.statistic() + ", in " + metric.unit())
                        .put("type", "number");
            }
        }
        return schema;
    }

    /** Returns JSON with objects and arrays of up to {@value #WIDTH} characters on one line. */
    static String text(JsonNode node) {
        return text(node, "") + "\n";
    }

    private static String text(JsonNode node, String indent) {
        String line = node.toString();
        if (line.length() <= WIDTH || !node.isObject()) {
            return line;
        }
        String inner = indent + "  ";
        return node.properties().stream()
                .map(member -> inner + '"' + member.getKey() + "\": " + text(member.getValue(), inner))
                .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }
}

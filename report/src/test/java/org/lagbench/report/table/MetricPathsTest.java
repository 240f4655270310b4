package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.run.Metric;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each number of summary.json has an id, and an id reads the number of its path. */
class MetricPathsTest {
    private static final String NAME = "x";

    @Test
    void everyNumberOfSchemaHasAnId() throws Exception {
        JsonNode schema = JsonMapper.shared().readTree(Path.of("../docs/reference/summary.schema.json"));
        List<String> paths = new ArrayList<>();
        addNumbers(schema, schema.at("/$defs/Metrics"), "", paths);
        assertThat(paths).contains("series.lag.withoutQ99.quantileUs", "transfers.connection.verdicts.x.confidence");
        for (String path : paths) {
            assertThat(Metric.all()).as(path).anyMatch(metric -> path.matches(pattern(metric.path())));
        }
    }

    /** Returns a pattern for the paths in which any name is at the places of "*". */
    private static String pattern(String path) {
        return Pattern.quote(path).replace("*", "\\E.+?\\Q");
    }

    @Test
    void readsNumbersAtTheirPaths() {
        PointSummary point = PaperSummary.whole().points().get(0);
        List<String> read = new ArrayList<>();
        ResultMapper.tree(point.pooled())
                .properties()
                .forEach(group -> ResultMapper.forEachValue(group.getKey(), group.getValue(), (path, value) -> {
                    if (value.isNumber()) {
                        Metric metric = Metric.all().stream()
                                .filter(each -> each.path().equals(path))
                                .findFirst()
                                .orElseThrow(() -> new AssertionError(path));
                        assertThat(point.value(metric)).isEqualTo(metric.scaled(value.doubleValue()));
                        read.add(metric.id());
                    }
                }));
        assertThat(read).contains("lag.q99", "receiveRate", "packets.sent");
    }

    @Test
    void idsAndColumnsAreDistinct() {
        assertThat(Metric.all()).extracting(Metric::id).doesNotHaveDuplicates();
        assertThat(Metric.all()).extracting(Metric::alias).doesNotHaveDuplicates();
    }

    /** Adds the paths of the numbers. Names of maps and elements, which may be any, are {@value #NAME}. */
    private static void addNumbers(JsonNode schema, JsonNode node, String path, List<String> paths) {
        if (path.startsWith("clock.steps")) {
            return; // events, which have no statistics
        }
        if (node.has("$ref")) {
            addNumbers(schema, schema.at(node.get("$ref").asString().substring(1)), path, paths);
        }
        node.path("anyOf").forEach(each -> addNumbers(schema, each, path, paths));
        if (node.path("type").toString().matches(".*\"(number|integer)\".*")) {
            paths.add(path);
        }
        String prefix = path.isEmpty() ? "" : path + ".";
        node.path("properties").forEachEntry((name, member) -> addNumbers(schema, member, prefix + name, paths));
        if (node.path("additionalProperties").isObject()) {
            String name = node.at("/propertyNames/enum/0").asString(NAME);
            addNumbers(schema, node.get("additionalProperties"), prefix + name, paths);
        }
        if (node.has("items")) {
            addNumbers(schema, node.get("items"), prefix + (path.endsWith("budgets") ? "0.05" : NAME), paths);
        }
    }
}

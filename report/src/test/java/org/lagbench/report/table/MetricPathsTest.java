package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each number of summary.json has an id, whose getter reads the same number. */
class MetricPathsTest {
    private static final String NAME = "x";
    private static final Path FILE = Path.of("src/test/resources/org/lagbench/report/table/metric-paths.txt");

    /** The path of the number of each id, "-" for those that follow from other numbers. */
    private static Map<String, String> paths() throws Exception {
        Map<String, String> paths = new LinkedHashMap<>();
        for (String line : Files.readAllLines(FILE)) {
            String[] columns = line.split(" ", 2);
            paths.put(columns[0], columns[1]);
        }
        return paths;
    }

    @Test
    void everyIdHasAPath() throws Exception {
        assertThat(paths().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        MetricRegistry.all().stream().map(Metric::id).toList());
    }

    @Test
    void everyNumberOfSchemaHasAnId() throws Exception {
        JsonNode schema = JsonMapper.shared().readTree(Path.of("../docs/reference/summary.schema.json"));
        List<String> found = new ArrayList<>();
        addNumbers(schema, schema.at("/$defs/Metrics"), "", found);
        assertThat(found).contains("series.lag.withoutQ99.quantileUs", "transfers.connection.verdicts.x.confidence");
        Collection<String> known = paths().values();
        for (String path : found) {
            assertThat(known).as(path).anyMatch(declared -> path.matches(pattern(declared)));
        }
    }

    /** Returns a pattern for the paths in which any name is at the places of "*". */
    private static String pattern(String path) {
        return Pattern.quote(path).replace("*", "\\E(.+?)\\Q");
    }

    @Test
    void getterReadsNumberAtPath() throws Exception {
        Map<String, String> paths = paths();
        PointSummary point = PaperSummary.whole().points().get(0);
        List<String> read = new ArrayList<>();
        ResultMapper.tree(point.pooled())
                .properties()
                .forEach(group -> ResultMapper.forEachValue(group.getKey(), group.getValue(), (path, value) -> {
                    if (value.isNumber()) {
                        String id = id(paths, path);
                        assertThat(point.value(MetricRegistry.of(id)))
                                .as(id)
                                .isCloseTo(value.doubleValue() * factor(id, path), withinPercentage(1e-9));
                        read.add(id);
                    }
                }));
        assertThat(read).contains("lag.q99", "receiveRate", "packets.sent");
        List<String> walked = new ArrayList<>();
        point.pooled().forEach(point.point(), (metric, value) -> walked.add(metric.id()));
        assertThat(walked).doesNotHaveDuplicates().containsAll(read);
    }

    /** Returns the id of the number at a path, with its names. */
    private static String id(Map<String, String> paths, String path) {
        for (Map.Entry<String, String> declared : paths.entrySet()) {
            Matcher names = Pattern.compile(pattern(declared.getValue())).matcher(path);
            if (names.matches()) {
                String id = declared.getKey();
                for (int i = 1; i <= names.groupCount(); i++) {
                    id = id.replaceFirst("\\*", Matcher.quoteReplacement(names.group(i)));
                }
                return id;
            }
        }
        throw new AssertionError(path);
    }

    private static double factor(String id, String path) {
        return switch (MetricRegistry.of(id).unit()) {
            case Metric.PERCENT -> 100;
            case "µs" -> path.endsWith("Ns") ? 1e-3 : 1;
            case "Mbit/s" -> path.contains("BitsPerS") ? 1e-6 : 1;
            default -> 1;
        };
    }

    @Test
    void idsAndColumnsAreDistinct() {
        assertThat(MetricRegistry.all()).extracting(Metric::id).doesNotHaveDuplicates();
        assertThat(MetricRegistry.all()).extracting(Metric::alias).doesNotHaveDuplicates();
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

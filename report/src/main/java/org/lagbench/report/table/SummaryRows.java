package org.lagbench.report.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.MetricRegistry;
import tools.jackson.databind.JsonNode;

/**
 * The rows of CSV of a summary. Each point has a row with {@code level} "pooled", followed by the rows of its runs;
 * excluded runs and damaged files follow last. A column's name is the path of its value in the JSON of the point or
 * run, or that of a metric with its unit ({@link Metric#column}). Undefined and unknown values are empty. The columns
 * do not depend on what else runs on a machine: the programs of a cause share its columns, as a sum.
 */
final class SummaryRows {
    private static final List<String> ORDER =
            MetricRegistry.all().stream().map(Metric::id).toList();
    private static final Set<String> NOT_CELLS = Set.of("point", "metrics", "runs");

    private final Summary summary;
    private final Predicate<MetricGroup<?>> groups;
    private final List<Row> rows = new ArrayList<>();

    /** What describes a point or run, by the names of columns, and its metrics. */
    private record Row(Map<String, String> cells, Map<Metric<?>, String> metrics) {}

    private SummaryRows(Summary summary, Predicate<MetricGroup<?>> groups) {
        this.summary = summary;
        this.groups = groups;
    }

    /**
     * Returns the rows with a column for each metric that one of them has.
     *
     * @param groups the groups whose metrics are shown
     * @param root the JSON of the summary
     */
    static List<Map<String, String>> wide(Summary summary, Predicate<MetricGroup<?>> groups, JsonNode root) {
        List<Row> rows = new SummaryRows(summary, groups).read(root);
        List<Metric<?>> metrics = rows.stream()
                .<Metric<?>>flatMap(row -> row.metrics.keySet().stream())
                .distinct()
                .sorted(Comparator.comparingInt(metric -> ORDER.indexOf(metric.declaredId())))
                .toList();
        return rows.stream()
                .map(row -> {
                    Map<String, String> cells = new LinkedHashMap<>(row.cells);
                    metrics.forEach(
                            metric -> cells.put(MetricNames.column(metric), row.metrics.getOrDefault(metric, "")));
                    return cells;
                })
                .toList();
    }

    /** Returns a row for each metric of each of these rows: what describes the point or run, and id, unit and value. */
    static List<Map<String, String>> tidy(Summary summary, Predicate<MetricGroup<?>> groups, JsonNode root) {
        List<Map<String, String>> tidy = new ArrayList<>();
        for (Row row : new SummaryRows(summary, groups).read(root)) {
            row.metrics.forEach((metric, value) -> {
                Map<String, String> cells = new LinkedHashMap<>(row.cells);
                cells.put("metric", metric.id());
                cells.put("unit", metric.unit());
                cells.put("value", value);
                tidy.add(cells);
            });
        }
        return tidy;
    }

    private List<Row> read(JsonNode root) {
        for (int i = 0; i < summary.points().size(); i++) {
            JsonNode json = root.get(SummaryDocument.POINTS).get(i);
            PointSummary point = summary.points().get(i);
            add("pooled", point.point(), point.pooled(), json.get("point"), json);
            for (int k = 0; k < point.runs().size(); k++) {
                add(
                        "run",
                        point.point(),
                        point.runs().get(k).metrics(),
                        json.get("point"),
                        json.get("runs").get(k));
            }
        }
        for (int i = 0; i < summary.excluded().size(); i++) {
            JsonNode json = root.get(SummaryDocument.EXCLUDED).get(i);
            ExcludedRun run = summary.excluded().get(i);
            add("excluded", run.point(), run.metrics(), json.get("point"), json);
        }
        for (DamagedFile damaged : summary.damage()) {
            Map<String, String> cells = cells("damage");
            cells.put("name", damaged.run());
            cells.put("reason", damaged.sentence());
            rows.add(new Row(cells, Map.of()));
        }
        return rows;
    }

    private void add(String level, @Nullable MeasuredPoint point, @Nullable Metrics metrics, JsonNode... parts) {
        Map<Metric<?>, String> values = new LinkedHashMap<>();
        if (point != null && metrics != null) {
            metrics.forEach(
                    point,
                    groups,
                    (metric, value) -> values.merge(
                            metric.ofAllPrograms(),
                            ResultMapper.number(metric, value).asString(),
                            SummaryRows::sum));
        }
        rows.add(new Row(cells(level, parts), values));
    }

    private static String sum(String left, String right) {
        return new BigDecimal(left).add(new BigDecimal(right)).toPlainString();
    }

    private static Map<String, String> cells(String level, JsonNode... parts) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("level", level);
        List.of("name", "repeat", "state", "reason", "spoiledBy").forEach(column -> cells.put(column, ""));
        for (JsonNode part : parts) {
            part.properties().stream()
                    .filter(member -> !NOT_CELLS.contains(member.getKey()))
                    .forEach(member -> CsvRows.put(cells, member.getKey(), member.getValue()));
        }
        return cells;
    }
}

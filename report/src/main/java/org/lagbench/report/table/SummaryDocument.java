package org.lagbench.report.table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.AdaptiveBuffer;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.analysis.summary.WarmUp;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A summary, or the part that a view shows, as JSON, described by {@code summary.schema.json}, and as CSV; and the
 * files {@value #CSV} and {@value #JSON} of a session directory.
 */
public final class SummaryDocument {
    public static final String CSV = "summary.csv";
    public static final String JSON = "summary.json";

    /** The groups of metrics that all views have. */
    private static final Set<MetricGroup<?>> COMMON = Set.of(
            MetricGroup.RUNS,
            MetricGroup.PACKETS,
            MetricGroup.RATES,
            MetricGroup.FOREIGN,
            MetricGroup.KERNEL_DROPS,
            MetricGroup.DAMAGED,
            MetricGroup.OVERWRITTEN,
            MetricGroup.RETRANSMISSIONS,
            MetricGroup.PACKETS_PER_CALL,
            MetricGroup.CLOCK);

    private static final String POINTS = "points";
    private static final String STREAMS = "streams";
    private static final String EXCLUDED = "excluded";
    private static final String DAMAGE = "damage";
    private static final String INTERVALS = "repeatIntervals";

    private SummaryDocument() {}

    /**
     * Writes both files. A reader finds the old files or the new ones, never a part of one.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written; that file is then unchanged
     */
    public static void write(Path sessionDirectory, Summary summary) throws LagbenchException {
        AtomicFile.write(sessionDirectory.resolve(CSV), TableFormat.CSV.text(summary));
        AtomicFile.write(sessionDirectory.resolve(JSON), TableFormat.JSON.text(summary));
    }

    /**
     * Returns the metrics of a view, or all metrics.
     *
     * @param view null for all metrics, which only formats for programs have
     */
    static Result result(Summary summary, @Nullable TableView view) {
        View shown = view == null ? null : view.view();
        return new Result(
                () -> Document.of(summary, Objects.requireNonNull(view)),
                () -> tree(summary, shown),
                tree -> rows(summary, shown, tree));
    }

    /** Returns the whole JSON object, or the part of it that a view shows. */
    static JsonNode tree(Summary summary, @Nullable View view) {
        JsonNode root = ResultMapper.tree(members(summary));
        if (view != null) {
            Set<String> kept = Stream.concat(COMMON.stream(), view.groups().stream())
                    .map(MetricGroup::id)
                    .collect(Collectors.toSet());
            for (JsonNode point : root.get(POINTS)) {
                retain(point.get("pooled"), kept);
                point.get("runs").forEach(run -> retain(run.get("figures"), kept));
                if (!kept.contains(MetricGroup.SERIES.id())) {
                    ((ObjectNode) point).putNull(INTERVALS);
                }
            }
            root.get(EXCLUDED).forEach(run -> retain(run.get("figures"), kept));
            if (view != View.STREAMS) {
                ((ObjectNode) root).putArray(STREAMS);
            }
        }
        return root;
    }

    private static void retain(JsonNode metrics, Set<String> kept) {
        if (metrics instanceof ObjectNode object) {
            object.retain(kept);
        }
    }

    /** Returns the members of the JSON object, in order. */
    private static Map<String, @Nullable Object> members(Summary summary) {
        Map<String, @Nullable Object> members = Result.members("lagbench-summary-1", "session", summary.session());
        members.put("estimator", "R-7");
        members.put("standardDeviation", "sample");
        members.put("clock", summary.corrected() ? "corrected" : "raw");
        members.put("warmUpFirstPackets", WarmUp.FIRST_PACKETS);
        members.put("lossDelta", LossPattern.DELTA);
        members.put("confidence", PlayoutBudget.CONFIDENCE);
        members.put("bootstrapReplicates", PlayoutBudget.REPLICATES);
        members.put("bootstrapSeed", PlayoutBudget.SEED);
        members.put("talkspurtPackets", AdaptiveBuffer.SPURT_PACKETS);
        members.put("learningPackets", AdaptiveBuffer.LEARNING_PACKETS);
        members.put(POINTS, summary.points());
        members.put(STREAMS, summary.streams());
        members.put("sums", summary.sums());
        members.put(EXCLUDED, summary.excluded());
        members.put(DAMAGE, summary.damage());
        return members;
    }

    /**
     * Returns the rows of CSV. Each point has a row with {@code level} "pooled", followed by the rows of its runs;
     * excluded runs and damaged files follow last. In the view of streams, rows are effects. A column's name is the
     * path of its value in the JSON below the point, the run or its metrics; the last columns have the metrics of
     * comparisons by short names ({@link Metric#alias}). Undefined and unknown values are empty.
     */
    private static List<Map<String, String>> rows(Summary summary, @Nullable View view, JsonNode root) {
        List<Map<String, String>> rows = new ArrayList<>();
        if (view == View.STREAMS) {
            root.get(STREAMS).forEach(effect -> rows.add(row("effect", effect.get("point"), effect)));
            return rows;
        }
        boolean hasAliases = view == null || view == View.LAG;
        for (int i = 0; i < summary.points().size(); i++) {
            JsonNode point = root.get(POINTS).get(i);
            PointSummary ofPoint = summary.points().get(i);
            Map<String, String> pooled = row("pooled", point.get("point"), point.get("pooled"));
            CsvRows.put(pooled, INTERVALS, point.get(INTERVALS));
            putAliases(pooled, ofPoint.point(), hasAliases ? ofPoint.pooled() : null);
            rows.add(pooled);
            for (int k = 0; k < ofPoint.runs().size(); k++) {
                JsonNode run = point.get("runs").get(k);
                Map<String, String> row = row("run", run, point.get("point"), run.get("figures"));
                putAliases(
                        row, ofPoint.point(), hasAliases ? ofPoint.runs().get(k).metrics() : null);
                rows.add(row);
            }
        }
        for (int i = 0; i < summary.excluded().size(); i++) {
            JsonNode run = root.get(EXCLUDED).get(i);
            ExcludedRun ofRun = summary.excluded().get(i);
            Map<String, String> row = row("excluded", run, run.get("point"), run.get("figures"));
            putAliases(row, ofRun.point(), hasAliases ? ofRun.metrics() : null);
            rows.add(row);
        }
        for (DamagedFile damaged : summary.damage()) {
            Map<String, String> row = row("damage");
            row.put("name", damaged.run());
            row.put("reason", damaged.sentence());
            rows.add(row);
        }
        return rows;
    }

    /** Adds the metrics that have a value, by their short names. */
    private static void putAliases(Map<String, String> row, @Nullable MeasuredPoint point, @Nullable Metrics metrics) {
        if (point == null || metrics == null) {
            return;
        }
        for (Metric<?> metric : MetricRegistry.aliased()) {
            double value = metrics.value(metric, point);
            if (Double.isFinite(value)) {
                row.put(metric.alias(), Numbers.exact(value));
            }
        }
    }

    private static Map<String, String> row(String level, JsonNode... parts) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("level", level);
        List.of("name", "repeat", "state", "reason", "spoiledBy").forEach(column -> row.put(column, ""));
        for (JsonNode part : parts) {
            part.properties().stream()
                    .filter(member -> !Set.of("point", "figures").contains(member.getKey()))
                    .forEach(member -> CsvRows.put(row, member.getKey(), member.getValue()));
        }
        return row;
    }
}

package org.lagbench.report.table;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.AdaptiveBuffer;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.StreamSum;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.analysis.summary.WarmUp;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.text.Units;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A summary, or the part that a view shows, as JSON, described by {@code summary.schema.json}: points and runs have all
 * metrics that have a value, by their ids, in their units. Also the files {@value #CSV} and {@value #JSON} of a session
 * directory.
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
            MetricGroup.LOSS,
            MetricGroup.CLOCK);

    static final String POINTS = "points";
    static final String EXCLUDED = "excluded";

    private final Predicate<MetricGroup<?>> groups;
    private final ObjectNode units = JsonNodeFactory.instance.objectNode();

    private SummaryDocument(Predicate<MetricGroup<?>> groups) {
        this.groups = groups;
    }

    /**
     * Writes both files. A reader finds the old files or the new ones, never a part of one.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written; that file is then unchanged
     */
    public static void write(Path sessionDirectory, Summary summary) throws LagbenchException {
        write(sessionDirectory, summary, Map.of());
    }

    /**
     * Writes both files as {@link #write(Path, Summary)}, with further members of the JSON object.
     *
     * @param more values by the names of members; see {@link ResultMapper}
     */
    public static void write(Path sessionDirectory, Summary summary, Map<String, ?> more) throws LagbenchException {
        AtomicFile.write(sessionDirectory.resolve(CSV), TableFormat.CSV.text(summary));
        ObjectNode tree = (ObjectNode) tree(summary, null);
        more.forEach((name, value) -> tree.set(name, ResultMapper.tree(value)));
        AtomicFile.write(sessionDirectory.resolve(JSON), ResultMapper.text(tree));
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
                tree -> SummaryRows.wide(summary, groups(shown), tree),
                tree -> SummaryRows.tidy(summary, groups(shown), tree));
    }

    private static Predicate<MetricGroup<?>> groups(@Nullable View view) {
        return group -> view == null || COMMON.contains(group) || view.groups().contains(group);
    }

    /** Returns the whole JSON object, or the part of it that a view shows. */
    static JsonNode tree(Summary summary, @Nullable View view) {
        return new SummaryDocument(groups(view)).write(summary);
    }

    private ObjectNode write(Summary summary) {
        ObjectNode root = (ObjectNode) ResultMapper.tree(members(summary));
        root.set("units", units);
        ArrayNode points = root.putArray(POINTS);
        for (PointSummary point : summary.points()) {
            ObjectNode node = points.addObject();
            node.set("point", ResultMapper.tree(point.point()));
            put(node, point.point(), point.pooled());
            node.set("repeatIntervals", groups.test(MetricGroup.SERIES) ? intervals(point.repeatIntervals()) : null);
            ArrayNode runs = node.putArray("runs");
            for (PointSummary.RunSummary run : point.runs()) {
                ObjectNode ofRun = runs.addObject().put("name", run.name()).put("repeat", run.repeat());
                ofRun.put("state", run.state().name()).set("spoiledBy", ResultMapper.tree(run.spoiledBy()));
                put(ofRun, point.point(), run.metrics());
            }
        }
        ArrayNode sums = root.putArray("sums");
        for (StreamSum sum : summary.sums()) {
            ObjectNode node = sums.addObject().put("streams", sum.streams()).put("repeats", sum.repeats());
            node.set("point", ResultMapper.tree(sum.point()));
            ObjectNode values = node.putObject("metrics");
            StreamSum.METRICS.forEach(each ->
                    each.forEach(sum, (metric, value) -> values.set(metric.id(), ResultMapper.number(metric, value))));
        }
        ArrayNode excluded = root.putArray(EXCLUDED);
        for (ExcludedRun run : summary.excluded()) {
            ObjectNode node = excluded.addObject().put("name", run.name()).put("reason", run.reason());
            node.set("point", run.point() == null ? null : ResultMapper.tree(run.point()));
            put(node, run.point(), run.metrics());
        }
        root.set("damage", ResultMapper.tree(summary.damage()));
        return root;
    }

    /** Adds the metrics that have a value by their ids, and what is known of the clocks; null if there are none. */
    private void put(ObjectNode node, @Nullable MeasuredPoint point, @Nullable Metrics metrics) {
        if (point == null || metrics == null) {
            node.putNull("metrics").putNull("clock");
            return;
        }
        ObjectNode values = node.putObject("metrics");
        metrics.forEach(point, groups, (metric, value) -> {
            values.set(metric.id(), ResultMapper.number(metric, value));
            units.put(metric.id(), metric.unit());
        });
        node.set("clock", ResultMapper.tree(metrics.clock()));
    }

    /** Returns the intervals by the ids of metrics, in their units; null if there are none. */
    private static @Nullable ObjectNode intervals(@Nullable RepeatIntervals intervals) {
        if (intervals == null) {
            return null;
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("repeats", intervals.repeats()).put("confidence", intervals.confidence());
        ObjectNode byId = node.putObject("intervals");
        intervals
                .series()
                .forEach((series, statistics) -> statistics.forEach((statistic, interval) -> {
                    ObjectNode ends = byId.putObject(series.id() + "." + statistic.id());
                    ends.set("low", ResultMapper.tree(interval.lowNs() / Units.NS_PER_US));
                    ends.set("high", ResultMapper.tree(interval.highNs() / Units.NS_PER_US));
                }));
        return node;
    }

    /** Returns the first members of the JSON object, in order. */
    private static Map<String, @Nullable Object> members(Summary summary) {
        Map<String, @Nullable Object> members = Result.members("lagbench-summary-2", "session", summary.session());
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
        return members;
    }
}

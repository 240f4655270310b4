package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.SessionComparison;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Study;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.MeanRatio;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Allocation;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A comparison, or the studies of its points, as JSON and CSV. */
public final class ComparisonDocument {
    private static final String COMPARISONS = "comparisons";
    private static final String STUDIES = "studies";

    private ComparisonDocument() {}

    static JsonNode tree(Summary summary, Comparisons comparisons) {
        Map<String, @Nullable Object> members = members("lagbench-comparison-1", summary, comparisons);
        members.put(
                COMPARISONS,
                comparisons.all().stream()
                        .map(comparison -> comparison(comparisons, comparison))
                        .toList());
        members.put("notCompared", comparisons.alone());
        members.put("allocations", allocations(summary));
        return ResultMapper.tree(members);
    }

    /** Returns the allocation of the JVMs at the points that measured it. */
    private static List<Map<String, @Nullable Object>> allocations(Summary summary) {
        List<Map<String, @Nullable Object>> allocations = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            Allocation allocation = point.pooled().get(MetricGroup.ALLOCATION);
            if (allocation != null) {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                members.put("point", point.point());
                members.put("senderBytesPerPacket", allocation.senderBytesPerPacket());
                members.put("receiverBytesPerPacket", allocation.receiverBytesPerPacket());
                allocations.add(members);
            }
        }
        return allocations;
    }

    static JsonNode tree(SessionComparison comparison) {
        Map<String, @Nullable Object> members = Result.members(
                "lagbench-session-comparison-1",
                "session",
                comparison.compared().session());
        members.put("baseline", comparison.baseline().session());
        members.put("margin", comparison.margin());
        members.put("confidence", Interval.CONFIDENCE);
        members.put(
                COMPARISONS,
                comparison.all().stream().map(ComparisonDocument::ofSessions).toList());
        members.put("onlyInBaseline", comparison.onlyInBaseline());
        members.put("onlyInSession", comparison.onlyInCompared());
        return ResultMapper.tree(members);
    }

    static JsonNode tree(Summary summary, Studies studies) {
        Map<String, @Nullable Object> members = members("lagbench-equivalence-study-1", summary, studies.comparisons());
        members.put(
                STUDIES,
                studies.all().stream()
                        .map(study -> study(studies.comparisons(), study))
                        .toList());
        return ResultMapper.tree(members);
    }

    /** Returns the tree of the equivalence of two series. */
    public static ObjectNode tree(Equivalence equivalence) {
        MeanRatio ratio = equivalence.meanRatioWithoutOutliers();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", "lagbench-equivalence-1");
        ObjectNode verdicts = root.putObject("isEquivalent");
        verdicts.put("mseIntervals", equivalence.mseIntervals().isEquivalent());
        verdicts.put("conformalIntervals", equivalence.conformalIntervals().isEquivalent());
        verdicts.put("means", (ratio == null || !ratio.hasEnds()) ? null : (Boolean) ratio.isEquivalent());
        root.setAll((ObjectNode) ResultMapper.tree(equivalence));
        return root;
    }

    private static Map<String, @Nullable Object> members(String format, Summary summary, Comparisons comparisons) {
        Map<String, @Nullable Object> members = Result.members(format, "session", summary.session());
        members.put("axis", comparisons.axis().name());
        members.put("values", comparisons.axis().values());
        members.put("baseline", comparisons.baseline());
        members.put("margin", comparisons.margin());
        members.put("confidence", Interval.CONFIDENCE);
        return members;
    }

    private static Map<String, @Nullable Object> comparison(Comparisons comparisons, Comparison comparison) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("point", comparison.point());
        members.put("value", comparisons.axis().value(comparison.point()));
        putResult(members, comparison);
        return members;
    }

    private static Map<String, @Nullable Object> ofSessions(Comparison comparison) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("point", comparison.point());
        putResult(members, comparison);
        return members;
    }

    private static void putResult(Map<String, @Nullable Object> members, Comparison comparison) {
        Interval ratio = comparison.ratio();
        members.put("metric", comparison.metric().id());
        members.put("unit", comparison.metric().unit());
        members.put("smallerIsBetter", comparison.metric().smallerIsBetter());
        members.put("repeats", comparison.repeats());
        members.put("baselineMedian", comparison.baseline());
        members.put("comparedMedian", comparison.compared());
        members.put("ratio", ratio.value());
        members.put("low", ratio.low());
        members.put("high", ratio.high());
        members.put("interval", ratio.hasEnds() ? "order-statistics" : null);
        members.put("nonEquivalence", comparison.nonEquivalence());
        members.put("verdict", comparison.verdict().text());
        members.put(
                "doubt", comparison.doubt() == null ? null : comparison.doubt().text());
    }

    private static Map<String, @Nullable Object> study(Comparisons comparisons, Study study) {
        Map<String, @Nullable Object> members = comparison(comparisons, study.comparison());
        members.put("isSlopeNearOne", study.isSlopeNearOne());
        members.put("equivalence", tree(study.equivalence()));
        return members;
    }

    /**
     * Returns a row for each comparison or study; columns are as in {@code summary.csv}, without the curves and bins.
     */
    static List<Map<String, String>> rows(JsonNode tree) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (JsonNode element : tree.has(STUDIES) ? tree.get(STUDIES) : tree.get(COMPARISONS)) {
            Map<String, String> row = new LinkedHashMap<>();
            CsvRows.putAll(row, element.get("point"));
            CsvRows.putAll(row, element);
            row.keySet()
                    .removeIf(column -> column.matches("point\\..*|.*\\.(errors\\.(errors|fractions)|histogram\\..*)"));
            rows.add(row);
        }
        return rows;
    }
}

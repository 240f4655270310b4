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
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Allocation;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import tools.jackson.databind.JsonNode;

/** A comparison, or the studies of its points, as JSON and CSV. */
final class ComparisonDocument {
    private static final String COMPARISONS = "comparisons";
    private static final String STUDIES = "studies";

    private ComparisonDocument() {}

    static JsonNode tree(Summary summary, Comparisons comparisons) {
        Map<String, @Nullable Object> members = members("lagbench-comparison-1", summary, comparisons);
        members.put(
                COMPARISONS,
                comparisons.all().stream()
                        .map(comparison -> members(comparison, comparisons))
                        .toList());
        members.put("notCompared", comparisons.alone());
        List<Map<String, @Nullable Object>> allocations = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            Allocation allocation = point.pooled().get(MetricGroup.ALLOCATION);
            if (allocation != null) {
                Map<String, @Nullable Object> ofPoint = new LinkedHashMap<>();
                ofPoint.put("point", point.point());
                ofPoint.put("senderBytesPerPacket", allocation.senderBytesPerPacket());
                ofPoint.put("receiverBytesPerPacket", allocation.receiverBytesPerPacket());
                allocations.add(ofPoint);
            }
        }
        members.put("allocations", allocations);
        return ResultMapper.tree(members);
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
                comparison.all().stream().map(one -> members(one, null)).toList());
        members.put("onlyInBaseline", comparison.onlyInBaseline());
        members.put("onlyInSession", comparison.onlyInCompared());
        return ResultMapper.tree(members);
    }

    static JsonNode tree(Summary summary, Studies studies) {
        Map<String, @Nullable Object> members = members("lagbench-equivalence-study-1", summary, studies.comparisons());
        List<Object> all = new ArrayList<>();
        for (Study study : studies.all()) {
            Map<String, @Nullable Object> ofStudy = members(study.comparison(), studies.comparisons());
            ofStudy.put("isSlopeNearOne", study.isSlopeNearOne());
            ofStudy.put("equivalence", EquivalenceReport.tree(study.equivalence()));
            all.add(ofStudy);
        }
        members.put(STUDIES, all);
        return ResultMapper.tree(members);
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

    /** Returns the members of a comparison; {@code comparisons} is null if it is not of the values of an axis. */
    private static Map<String, @Nullable Object> members(Comparison comparison, @Nullable Comparisons comparisons) {
        Interval ratio = comparison.ratio();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("point", comparison.point());
        if (comparisons != null) {
            members.put("value", comparisons.axis().value(comparison.point()));
        }
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
        members.put("verdict", comparison.verdict());
        members.put("doubt", comparison.doubt());
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

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.AdaptiveBuffer;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.summary.DamagedFile;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUpFigures;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A summary, or the part that a view shows, as JSON, described by {@code summary.schema.json}, and as CSV. */
final class SummaryDocument {
    /** Members of figures that all views have. */
    private static final Set<String> COMMON = Set.of(
            "runs", "packets", "foreign", "kernelDrops", "overwritten", "retransmissions", "packetsPerCall", "clock");

    private static final String POINTS = "points";
    private static final String STREAMS = "streams";
    private static final String EXCLUDED = "excluded";
    private static final String DAMAGE = "damage";
    private static final String INTERVALS = "repeatIntervals";

    private SummaryDocument() {}

    /** Returns the whole JSON object, or the part of it that a view shows. */
    static JsonNode tree(Summary summary, @Nullable View view) {
        JsonNode root = ResultMapper.tree(members(summary));
        if (view != null) {
            Set<String> kept = new HashSet<>(COMMON);
            kept.addAll(view.content().members());
            for (JsonNode point : root.get(POINTS)) {
                retain(point.get("pooled"), kept);
                point.get("runs").forEach(run -> retain(run.get("figures"), kept));
                if (!kept.contains("series")) {
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

    /** Returns the document as indented text. */
    static String json(Summary summary, @Nullable View view) {
        return ResultMapper.text(tree(summary, view));
    }

    private static void retain(JsonNode figures, Set<String> kept) {
        if (figures instanceof ObjectNode object) {
            object.retain(kept);
        }
    }

    /** Returns the members of the JSON object, in order. */
    private static Map<String, Object> members(Summary summary) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("format", "lagbench-summary-1");
        members.put("session", summary.session());
        members.put("estimator", "R-7");
        members.put("standardDeviation", "sample");
        members.put("clock", summary.corrected() ? "corrected" : "raw");
        members.put("warmUpFirstPackets", WarmUpFigures.FIRST_PACKETS);
        members.put("lossDelta", LossPattern.DELTA);
        members.put("confidence", PlayoutBudget.CONFIDENCE);
        members.put("bootstrapReplicates", PlayoutBudget.REPLICATES);
        members.put("bootstrapSeed", PlayoutBudget.SEED);
        members.put("talkspurtPackets", AdaptiveBuffer.SPURT_PACKETS);
        members.put("learningPackets", AdaptiveBuffer.LEARNING_PACKETS);
        members.put(POINTS, summary.points());
        members.put(STREAMS, summary.streams());
        members.put(EXCLUDED, summary.excluded());
        members.put(DAMAGE, summary.damage());
        return members;
    }

    /**
     * Returns comma-separated values (RFC 4180, but lines end with a line feed). Each point has a row with
     * {@code level} "pooled", followed by the rows of its runs; excluded runs and damaged files follow last. In the
     * view of streams, rows are effects. A column's name is the path of its value in the JSON below the point, the run
     * or its figures. Undefined and unknown values are empty.
     */
    static String csv(Summary summary, @Nullable View view) {
        List<Map<String, String>> rows = new ArrayList<>();
        JsonNode root = tree(summary, view);
        if (view == View.STREAMS) {
            root.get(STREAMS).forEach(effect -> rows.add(row("effect", effect.get("point"), effect)));
            return CsvRows.text(rows);
        }
        for (JsonNode point : root.get(POINTS)) {
            Map<String, String> pooled = row("pooled", point.get("point"), point.get("pooled"));
            CsvRows.put(pooled, INTERVALS, point.get(INTERVALS));
            rows.add(pooled);
            for (JsonNode run : point.get("runs")) {
                rows.add(row("run", run, point.get("point"), run.get("figures")));
            }
        }
        for (JsonNode run : root.get(EXCLUDED)) {
            rows.add(row("excluded", run, run.get("point"), run.get("figures")));
        }
        for (DamagedFile damaged : summary.damage()) {
            Map<String, String> row = row("damage");
            row.put("name", damaged.run());
            row.put("reason", damaged.sentence());
            rows.add(row);
        }
        return CsvRows.text(rows);
    }

    private static Map<String, String> row(String level, JsonNode... parts) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("level", level);
        List.of("name", "repeat", "state", "reason").forEach(column -> row.put(column, ""));
        for (JsonNode part : parts) {
            part.properties().stream()
                    .filter(member -> !Set.of("point", "figures").contains(member.getKey()))
                    .forEach(member -> CsvRows.put(row, member.getKey(), member.getValue()));
        }
        return row;
    }
}

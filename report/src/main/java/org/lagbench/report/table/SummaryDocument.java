package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.playout.AdaptiveBuffer;
import org.lagbench.analysis.playout.PlayoutBudget;
import org.lagbench.analysis.summary.ExcludedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUpFigures;
import tools.jackson.databind.JsonNode;

/**
 * Everything that is known of a session, as files have it: {@code summary.schema.json} describes the JSON. The CSV has
 * the same values, one column each.
 *
 * @param format the format and its version
 * @param session the session's name
 * @param estimator of all quantiles
 * @param standardDeviation which of the two
 * @param clock whether corrected lags were asked for
 * @param warmUpFirstPackets how many packets of a run are its first
 * @param lossDelta how soon after another a loss is noticeable, in packets
 * @param confidence of the intervals of playout delays
 * @param bootstrapReplicates how often their bootstrap draws
 * @param bootstrapSeed by which it can be drawn again
 * @param talkspurtPackets how many packets the adaptive buffer plays with one delay
 * @param learningPackets how many packets only teach it
 * @param points in the order of the tables
 * @param streams what streams did to each other
 * @param excluded runs that are in no pooled figure
 */
record SummaryDocument(
        String format,
        String session,
        String estimator,
        String standardDeviation,
        String clock,
        int warmUpFirstPackets,
        int lossDelta,
        double confidence,
        int bootstrapReplicates,
        int bootstrapSeed,
        int talkspurtPackets,
        int learningPackets,
        List<PointSummary> points,
        List<StreamEffect> streams,
        List<ExcludedRun> excluded) {

    static SummaryDocument of(Summary summary) {
        return new SummaryDocument(
                "lagbench-summary-1",
                summary.session(),
                "R-7",
                "sample",
                summary.corrected() ? "corrected" : "raw",
                WarmUpFigures.FIRST_PACKETS,
                LossPattern.DELTA,
                PlayoutBudget.CONFIDENCE,
                PlayoutBudget.REPLICATES,
                PlayoutBudget.SEED,
                AdaptiveBuffer.SPURT_PACKETS,
                AdaptiveBuffer.LEARNING_PACKETS,
                summary.points(),
                summary.streams(),
                summary.excluded());
    }

    /**
     * Returns comma-separated values (RFC 4180, lines ended by a line feed): a row a point, with {@code level}
     * "pooled", followed by a row a run; then the excluded runs. A column's name is the path of its value in the JSON,
     * within the point, the run or its figures. What is undefined or unknown is empty.
     */
    String csv() {
        List<Map<String, String>> rows = new ArrayList<>();
        JsonNode root = ResultMapper.tree(this);
        for (JsonNode point : root.get("points")) {
            rows.add(row("pooled", point.get("point"), point.get("pooled")));
            for (JsonNode run : point.get("runs")) {
                rows.add(row("run", run, point.get("point"), run.get("figures")));
            }
        }
        for (JsonNode run : root.get("excluded")) {
            rows.add(row("excluded", run, run.get("point"), run.get("figures")));
        }
        Set<String> columns = columns(rows);
        StringBuilder csv = new StringBuilder(line(columns));
        rows.forEach(row -> csv.append(line(
                columns.stream().map(column -> row.getOrDefault(column, "")).toList())));
        return csv.toString();
    }

    private static Map<String, String> row(String level, JsonNode... parts) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("level", level);
        List.of("name", "repeat", "state", "reason").forEach(column -> row.put(column, ""));
        for (JsonNode part : parts) {
            part.properties().stream()
                    .filter(member -> !Set.of("point", "figures").contains(member.getKey()))
                    .forEach(member -> put(row, member.getKey(), member.getValue()));
        }
        return row;
    }

    /** Elements that are objects with figures have columns of their own, by their first member; others share a cell. */
    private static void put(Map<String, String> row, String path, JsonNode node) {
        if (node.isObject()) {
            node.properties().forEach(member -> put(row, path + "." + member.getKey(), member.getValue()));
        } else if (node.isArray() && node.valueStream().anyMatch(element -> element.size() > 2)) {
            node.forEach(
                    element -> put(row, path + "." + name(element.iterator().next()), element));
        } else if (node.isArray()) {
            row.put(path, node.valueStream().map(SummaryDocument::cell).collect(Collectors.joining(" ")));
        } else {
            row.put(path, cell(node));
        }
    }

    private static String name(JsonNode first) {
        return first.isNumber() ? first.decimalValue().stripTrailingZeros().toPlainString() : first.asString();
    }

    private static String cell(JsonNode node) {
        return node.isObject()
                ? node.valueStream().map(JsonNode::asString).collect(Collectors.joining(": "))
                : node.isNull() ? "" : node.asString();
    }

    /** The columns of all rows, those of one member of a point, run or figures side by side. */
    private static Set<String> columns(List<Map<String, String>> rows) {
        Map<String, Set<String>> byMember = new LinkedHashMap<>();
        rows.forEach(row -> row.keySet()
                .forEach(column -> byMember.computeIfAbsent(column.split("\\.", 2)[0], name -> new LinkedHashSet<>())
                        .add(column)));
        Set<String> columns = new LinkedHashSet<>();
        byMember.values().forEach(columns::addAll);
        // what is an object in another row has its columns
        columns.removeIf(column -> columns.stream().anyMatch(other -> other.startsWith(column + ".")));
        return columns;
    }

    private static String line(Iterable<String> cells) {
        List<String> quoted = new ArrayList<>();
        cells.forEach(
                cell -> quoted.add(cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"'));
        return String.join(",", quoted) + "\n";
    }
}

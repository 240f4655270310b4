package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.playout.AdaptiveBuffer;
import org.lagbench.analysis.playout.PlayoutBudget;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.WarmUpFigures;
import tools.jackson.databind.JsonNode;

/** Everything in a summary as JSON, described by {@code summary.schema.json}, and as CSV. */
final class SummaryDocument {
    private SummaryDocument() {}

    /** Returns the members of the JSON object, in order. */
    static Map<String, Object> members(Summary summary) {
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
        members.put("points", summary.points());
        members.put("streams", summary.streams());
        members.put("excluded", summary.excluded());
        return members;
    }

    /**
     * Returns comma-separated values (RFC 4180, but lines end with a line feed). Each point has a row with
     * {@code level} "pooled", followed by the rows of its runs; excluded runs follow last. A column's name is the path
     * of its value in the JSON below the point, the run or its figures. Undefined and unknown values are empty.
     */
    static String csv(Summary summary) {
        List<Map<String, String>> rows = new ArrayList<>();
        JsonNode root = ResultMapper.tree(members(summary));
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

    /**
     * Elements that are objects with figures get their own columns, named by their first member; others share a cell.
     */
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

    /** Returns the columns of all rows, with those of one member of a point, run or figures side by side. */
    private static Set<String> columns(List<Map<String, String>> rows) {
        Map<String, Set<String>> byMember = new LinkedHashMap<>();
        rows.forEach(row -> row.keySet()
                .forEach(column -> byMember.computeIfAbsent(column.split("\\.", 2)[0], name -> new LinkedHashSet<>())
                        .add(column)));
        Set<String> columns = new LinkedHashSet<>();
        byMember.values().forEach(columns::addAll);
        // a value that is an object in another row has that row's columns
        columns.removeIf(column -> columns.stream().anyMatch(other -> other.startsWith(column + ".")));
        return columns;
    }

    private static String line(Collection<String> cells) {
        return cells.stream()
                .map(cell -> cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\n"));
    }
}

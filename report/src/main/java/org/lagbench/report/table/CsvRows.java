package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.core.failure.ForeignText;
import tools.jackson.databind.JsonNode;

/**
 * Rows of comma-separated values (RFC 4180, but lines end with a line feed), made of JSON. A row maps the names of its
 * columns to their cells.
 */
public final class CsvRows {
    private static final String RUN = "run";

    /** The beginning of a formula, unlike that of a number. */
    private static final Pattern FORMULA =
            Pattern.compile("[=@]|[+-](?![0-9.]+(e[+-]?[0-9]+)?$)", Pattern.CASE_INSENSITIVE);

    private CsvRows() {}

    /** Returns a header line with the columns of all rows, then the rows. Absent cells are empty. */
    public static String text(List<Map<String, String>> rows) {
        Set<String> columns = columns(rows);
        StringBuilder csv = new StringBuilder(line(columns));
        rows.forEach(row -> csv.append(line(
                columns.stream().map(column -> row.getOrDefault(column, "")).toList())));
        return csv.toString();
    }

    /**
     * Returns a header line, then a row for each metric that has a value, of each row of a point or run: what describes
     * these, and the metric's id, unit and value. Rows without metrics are as in {@link #text} if no row has any.
     */
    static String longText(List<Map<String, String>> rows) {
        List<Map<String, String>> all = new ArrayList<>();
        for (Map<String, String> row : rows) {
            Map<String, String> described = new LinkedHashMap<>();
            row.entrySet().stream()
                    .takeWhile(cell -> !cell.getKey().equals(MetricGroup.RUNS.id()))
                    .forEach(cell -> described.put(cell.getKey(), cell.getValue()));
            for (Metric metric : Metric.all()) {
                String value = row.get(metric.alias());
                if (value != null) {
                    Map<String, String> one = new LinkedHashMap<>(described);
                    one.put("metric", metric.id());
                    one.put("unit", metric.unit());
                    one.put("value", value);
                    all.add(one);
                }
            }
        }
        return text(all.isEmpty() ? rows : all);
    }

    /** Returns a row for each object of an array. */
    public static List<Map<String, String>> of(JsonNode objects) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (JsonNode object : objects) {
            Map<String, String> row = new LinkedHashMap<>();
            putAll(row, object);
            rows.add(row);
        }
        return rows;
    }

    /** Adds the members of an object. */
    public static void putAll(Map<String, String> row, JsonNode object) {
        object.properties().forEach(member -> put(row, member.getKey(), member.getValue()));
    }

    /**
     * Adds the value at a path. The path is the name of its column. Members of an object have separate columns: the
     * path, a dot and the member's name. An array of objects with three or more members has separate columns for each
     * element. An element's name is its first member, or its number from 1 if it has a member {@code run} or the first
     * is a time. Other arrays share one cell.
     */
    public static void put(Map<String, String> row, String path, JsonNode node) {
        if (node.isObject()) {
            node.properties().forEach(member -> put(row, path + "." + member.getKey(), member.getValue()));
        } else if (node.isArray() && node.valueStream().anyMatch(element -> element.size() > 2)) {
            for (int i = 0; i < node.size(); i++) {
                JsonNode element = node.get(i);
                String name = element.has(RUN)
                                || element.propertyNames().iterator().next().endsWith("Ns")
                        ? Integer.toString(i + 1)
                        : name(element.iterator().next());
                put(row, path + "." + name, element);
            }
        } else if (node.isArray()) {
            row.put(path, node.valueStream().map(CsvRows::cell).collect(Collectors.joining(" ")));
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

    /** Returns the columns of all rows, with the columns of one member of a point, run or metrics side by side. */
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

    /** Returns a printable cell that no spreadsheet computes as a formula: one that looks like it begins with '. */
    private static String harmless(String cell) {
        String printable = ForeignText.escape(cell);
        return FORMULA.matcher(printable).lookingAt() ? "'" + printable : printable;
    }

    private static String line(Collection<String> cells) {
        return cells.stream()
                .map(CsvRows::harmless)
                .map(cell -> cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\n"));
    }
}

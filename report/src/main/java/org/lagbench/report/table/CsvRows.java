package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.failure.UntrustedText;
import tools.jackson.databind.JsonNode;

/**
 * Rows of comma-separated values (RFC 4180, but lines end with a line feed), made of JSON. A row maps the names of its
 * columns to their cells.
 */
public final class CsvRows {
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

    /** Adds the values at a path and below: each has a column, named by its path. Arrays of values share one cell. */
    public static void put(Map<String, String> row, String path, JsonNode node) {
        ResultMapper.forEachValue(
                path,
                node,
                (column, value) -> row.put(
                        column,
                        value.isArray()
                                ? value.valueStream().map(CsvRows::cell).collect(Collectors.joining(" "))
                                : cell(value)));
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
        // if a value is an object in another row, only the columns of its members remain
        columns.removeAll(objects(columns));
        return columns;
    }

    /** Returns the paths of the objects with these members. */
    private static Set<String> objects(Set<String> members) {
        Set<String> objects = new HashSet<>();
        for (String member : members) {
            for (int dot = member.indexOf('.'); dot >= 0; dot = member.indexOf('.', dot + 1)) {
                objects.add(member.substring(0, dot));
            }
        }
        return objects;
    }

    /** Returns a printable cell that no spreadsheet computes as a formula: one that looks like it begins with '. */
    private static String harmless(String cell) {
        String printable = UntrustedText.escape(cell);
        return FORMULA.matcher(printable).lookingAt() ? "'" + printable : printable;
    }

    private static String line(Collection<String> cells) {
        return cells.stream()
                .map(CsvRows::harmless)
                .map(cell -> cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\n"));
    }
}

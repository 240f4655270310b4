package org.lagbench.report.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.ResultMapper;
import tools.jackson.databind.JsonNode;

/**
 * A result: tables for users, and one tree for programs. JSON is the tree, and CSV has rows derived from it.
 *
 * @param document the tables with their notes
 * @param tree the members of the JSON object, its format first; see {@link ResultMapper}
 * @param rows converts the tree to the rows of CSV: each maps columns to cells
 * @param tidyRows the same with one metric in each row
 */
public record Result(
        Supplier<Document> document,
        Supplier<JsonNode> tree,
        Function<JsonNode, List<Map<String, String>>> rows,
        Function<JsonNode, List<Map<String, String>>> tidyRows) {
    /** Creates a result whose rows have no metrics of points. */
    public Result(
            Supplier<Document> document, Supplier<JsonNode> tree, Function<JsonNode, List<Map<String, String>>> rows) {
        this(document, tree, rows, rows);
    }

    /** Returns the first members of a result for programs: its format and its subject. */
    public static Map<String, @Nullable Object> members(String format, String of, Object name) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", format);
        members.put(of, name);
        return members;
    }

    /**
     * Returns a result whose rows of CSV are the objects of an array.
     *
     * @param array the member with the array
     */
    public static Result of(Document document, Map<String, @Nullable Object> members, String array) {
        return new Result(() -> document, () -> ResultMapper.tree(members), tree -> CsvRows.of(tree.get(array)));
    }

    /** Returns the text in a format. */
    public String text(TableFormat format) {
        return switch (format) {
            case CSV -> CsvRows.text(rows.apply(tree.get()));
            case LONG -> CsvRows.text(tidyRows.apply(tree.get()));
            case JSON -> ResultMapper.text(tree.get());
            default -> format.text(document.get());
        };
    }
}

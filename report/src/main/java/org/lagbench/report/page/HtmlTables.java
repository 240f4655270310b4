package org.lagbench.report.page;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.lagbench.report.table.Column;
import org.lagbench.report.table.Document;

/** Tables as HTML has them. */
public final class HtmlTables {
    private HtmlTables() {}

    /** A header, never empty, whose words may be broken where the text says so: "Dupli- cated" with a soft hyphen. */
    public static String header(Column column) {
        return column.header().isEmpty() ? "Number" : column.header().replace("- ", "\u00ad");
    }

    /** Without tables that have no row. */
    static Document withRows(Document document) {
        return new Document(
                document.tables().stream()
                        .filter(table -> !table.rows().isEmpty())
                        .toList(),
                document.marks(),
                document.notes());
    }

    /** Without the tables, by their titles, that are in another. */
    static Document without(Document document, Document shown) {
        Set<String> titles = new HashSet<>();
        shown.tables().forEach(table -> titles.add(table.title()));
        return new Document(
                withRows(document).tables().stream()
                        .filter(table -> !titles.contains(table.title()))
                        .toList(),
                document.marks(),
                List.of());
    }

    /** The heading of a section of tables: its id with a capital letter. */
    static String heading(String id) {
        return id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1).replace('-', ' ');
    }
}

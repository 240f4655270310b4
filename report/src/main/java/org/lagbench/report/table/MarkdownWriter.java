package org.lagbench.report.table;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes tables as GitHub's Markdown. */
final class MarkdownWriter {
    private MarkdownWriter() {}

    /** Writes the warnings, the lead, the tables that have rows, then the notes. */
    static void write(Document document, StringBuilder out) {
        writeList(document.warnings(), out);
        out.append(document.warnings().isEmpty() ? "" : "\n");
        document.lead().forEach(sentence -> out.append(escaped(sentence)).append("\n\n"));
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                out.append("### ").append(escaped(table.title())).append("\n\n");
                writeRow(table.columns().stream().map(MarkdownWriter::head), out);
                writeRow(table.columns().stream().map(column -> column.isText() ? ":--" : "--:"), out);
                for (List<String> row : table.rows()) {
                    writeRow(row.stream().map(MarkdownWriter::escaped), out);
                }
                out.append('\n');
                writeList(document.marks(), out);
                out.append(document.marks().isEmpty() ? "" : "\n");
            }
        }
        writeList(document.notes(), out);
    }

    private static void writeList(List<String> sentences, StringBuilder out) {
        for (String sentence : sentences) {
            out.append("- ").append(escaped(sentence)).append('\n');
        }
    }

    private static String head(Table.Column column) {
        String group = column.group().isEmpty() ? "" : column.group() + ": ";
        String unit = column.unit().isEmpty() ? "" : " (" + column.unit() + ")";
        return escaped(group + column.header() + unit);
    }

    private static void writeRow(Stream<String> cells, StringBuilder out) {
        out.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private static String escaped(String text) {
        return text.replaceAll("[\\\\`*_\\[\\]<>|#]", "\\\\$0");
    }
}

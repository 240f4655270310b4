package org.lagbench.report.table;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Writes tables as Markdown (GitHub's, with pipes). */
final class MarkdownWriter {
    private MarkdownWriter() {}

    static void write(Document document, Appendable out) throws IOException {
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                out.append("### ").append(escaped(table.title())).append("\n\n");
                writeRow(table.columns().stream().map(MarkdownWriter::head).toList(), out);
                writeRow(
                        table.columns().stream()
                                .map(column -> column.isText() ? ":--" : "--:")
                                .toList(),
                        out);
                for (List<String> row : table.rows()) {
                    writeRow(row.stream().map(MarkdownWriter::escaped).toList(), out);
                }
                out.append('\n');
                writeList(document.marks(), out);
                if (!document.marks().isEmpty()) {
                    out.append('\n');
                }
            }
        }
        writeList(document.notes(), out);
    }

    private static void writeList(List<String> sentences, Appendable out) throws IOException {
        for (String sentence : sentences) {
            out.append("- ").append(escaped(sentence)).append('\n');
        }
    }

    private static String head(Column column) {
        String header = column.header().replace("- ", "");
        String group = column.group().isEmpty() ? "" : column.group() + ": ";
        String unit = column.unit().isEmpty() ? "" : " (" + column.unit() + ")";
        return escaped(group + header + unit);
    }

    private static void writeRow(List<String> cells, Appendable out) throws IOException {
        out.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\`*_[]<>|#".indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c == '\n' ? ' ' : c);
        }
        return escaped.toString();
    }
}

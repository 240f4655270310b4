package org.lagbench.report.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes tables in aligned columns for a terminal. */
final class TextWriter {
    private static final String GAP = "  ";
    private static final int NOTE_WIDTH = 118;

    private TextWriter() {}

    static void write(Document document, Appendable out) throws IOException {
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                write(table, out);
                for (String mark : document.marks()) {
                    writeNote(mark, out);
                }
                out.append('\n');
            }
        }
        for (String note : document.notes()) {
            writeNote(note, out);
        }
    }

    private static void write(Table table, Appendable out) throws IOException {
        List<Column> columns = table.columns();
        List<List<String>> heads = columns.stream().map(TextWriter::head).toList();
        int headLines = heads.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    heads.get(i).stream().mapToInt(String::length).max().orElse(0),
                    table.rows().stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        out.append(table.title()).append("\n\n");
        if (!table.groups().isEmpty()) {
            writeLine(groups(table.groups(), widths), out);
        }
        for (int line = 0; line < headLines; line++) {
            List<String> cells = new ArrayList<>();
            for (List<String> head : heads) {
                int index = line - (headLines - head.size());
                cells.add(index < 0 ? "" : head.get(index));
            }
            writeLine(aligned(cells, columns, widths), out);
        }
        for (List<String> row : table.rows()) {
            writeLine(aligned(row, columns, widths), out);
        }
    }

    /** The lines of a column's head, the unit last: one word a line. */
    private static List<String> head(Column column) {
        List<String> lines = new ArrayList<>(List.of(column.header().split(" ", -1)));
        lines.add(column.unit());
        return lines;
    }

    /** A line with the name of each group over a rule as wide as its columns. */
    private static String groups(List<Table.Group> groups, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (Table.Group group : groups) {
            int width = GAP.length() * (group.columns() - 1);
            for (int i = 0; i < group.columns(); i++) {
                width += widths[group.first() + i];
            }
            String title = group.title();
            line.append(title.isEmpty() ? " ".repeat(width) : centred(title, width))
                    .append(GAP);
        }
        return line.toString();
    }

    private static String centred(String group, int width) {
        int rule = width - group.length() - 2;
        return rule < 2
                ? padded(group, width, true)
                : "-".repeat(rule / 2) + " " + group + " " + "-".repeat(rule - rule / 2);
    }

    private static String aligned(List<String> cells, List<Column> columns, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(padded(cells.get(i), widths[i], columns.get(i).isText()))
                    .append(GAP);
        }
        return line.toString();
    }

    private static String padded(String text, int width, boolean toTheLeft) {
        String space = " ".repeat(Math.max(0, width - text.length()));
        return toTheLeft ? text + space : space + text;
    }

    private static void writeLine(String line, Appendable out) throws IOException {
        out.append(line.stripTrailing()).append('\n');
    }

    private static void writeNote(String note, Appendable out) throws IOException {
        StringBuilder line = new StringBuilder();
        for (String word : note.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > NOTE_WIDTH) {
                writeLine(line.toString(), out);
                line = new StringBuilder(" ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        writeLine(line.toString(), out);
    }
}

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes tables in aligned columns for a terminal. */
public final class TextWriter {
    private static final String GAP = "  ";
    private static final int NOTE_WIDTH = 118;

    private TextWriter() {}

    /** Writes the tables that have rows, then the notes. */
    public static void write(Document document, StringBuilder out) {
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

    private static void write(Table table, StringBuilder out) {
        List<Column> columns = table.columns();
        List<List<String>> heads = columns.stream().map(TextWriter::head).toList();
        List<List<String>> lines = new ArrayList<>();
        for (int i = heads.stream().mapToInt(List::size).max().orElse(0); i > 0; i--) {
            int fromEnd = i;
            lines.add(heads.stream()
                    .map(head -> head.size() < fromEnd ? "" : head.get(head.size() - fromEnd))
                    .toList());
        }
        lines.addAll(table.rows());
        int[] widths = IntStream.range(0, columns.size())
                .map(i -> lines.stream()
                        .mapToInt(line -> line.get(i).length())
                        .max()
                        .orElse(0))
                .toArray();
        out.append(table.title()).append("\n\n");
        if (!table.groups().isEmpty()) {
            writeLine(groups(table.groups(), widths), out);
        }
        for (List<String> line : lines) {
            writeLine(
                    IntStream.range(0, widths.length)
                            .mapToObj(i -> padded(
                                    line.get(i), widths[i], columns.get(i).isText()))
                            .collect(Collectors.joining(GAP)),
                    out);
        }
    }

    /** Returns the lines of a column's head: one for each word, then the unit. */
    private static List<String> head(Column column) {
        List<String> lines = new ArrayList<>(List.of(column.header().split(" ", -1)));
        lines.add(column.unit());
        return lines;
    }

    /** Returns a line with the name of each group in a rule as wide as its columns. */
    private static String groups(List<Table.Group> groups, int[] widths) {
        return groups.stream()
                .map(group -> {
                    int end = group.first() + group.columns();
                    int width = Arrays.stream(widths, group.first(), end).sum() + GAP.length() * (group.columns() - 1);
                    int rule = width - group.title().length() - 2;
                    return group.title().isEmpty() || rule < 2
                            ? padded(group.title(), width, true)
                            : "-".repeat(rule / 2) + " " + group.title() + " " + "-".repeat(rule - rule / 2);
                })
                .collect(Collectors.joining(GAP));
    }

    private static String padded(String text, int width, boolean isLeft) {
        String space = " ".repeat(Math.max(0, width - text.length()));
        return isLeft ? text + space : space + text;
    }

    private static void writeLine(String line, StringBuilder out) {
        out.append(line.stripTrailing()).append('\n');
    }

    private static void writeNote(String note, StringBuilder out) {
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

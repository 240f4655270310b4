package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes tables for a terminal, each in aligned columns. Rows of points have their network on a line above them. The
 * other columns that name the point are there too if the table would otherwise exceed {@link TextColumns}. A table that
 * is still wider continues below, with the columns that name its rows again: the axes and the texts that follow them.
 */
final class TextWriter {
    private static final int PACKET_SIZE = 1;

    private final Table table;
    private final List<Integer> named;
    private final List<Table.Column> columns;
    private final List<List<String>> lines = new ArrayList<>();
    private final List<Table.Group> groups;
    private final int[] widths;
    private final String gap;

    private TextWriter(Table table, int firstShown, String gap) {
        List<Integer> shown = IntStream.range(0, table.columns().size())
                .filter(i -> i == PACKET_SIZE || i >= firstShown)
                .boxed()
                .toList();
        this.table = table;
        this.named = IntStream.range(0, firstShown)
                .filter(i -> i != PACKET_SIZE)
                .boxed()
                .toList();
        this.columns = shown.stream().map(table.columns()::get).toList();
        this.gap = gap;
        List<List<String>> heads = columns.stream().map(TextWriter::head).toList();
        for (int i = heads.stream().mapToInt(List::size).max().orElse(0); i > 0; i--) {
            int fromEnd = i;
            lines.add(heads.stream()
                    .map(head -> head.size() < fromEnd ? "" : head.get(head.size() - fromEnd))
                    .toList());
        }
        table.rows().forEach(row -> lines.add(shown.stream().map(row::get).toList()));
        this.groups = Table.groups(columns);
        this.widths = widths();
    }

    /** Writes the warnings, the lead, the tables, then the notes. */
    static void write(Document document, StringBuilder out) {
        for (String warning : document.warnings()) {
            writeNote("! " + warning, out);
        }
        out.append(document.warnings().isEmpty() ? "" : "\n");
        document.lead().forEach(sentence -> writeNote(sentence, out));
        out.append(document.lead().isEmpty() ? "" : "\n");
        for (Table table : document.tables()) {
            writeNote(table.title(), out);
            out.append('\n');
            write(table, out);
            out.append('\n');
        }
        document.marks().forEach(mark -> writeNote(mark, out));
        for (String note : document.notes()) {
            writeNote(note, out);
        }
    }

    private static void writeNote(String note, StringBuilder out) {
        StringBuilder line = new StringBuilder();
        for (String word : note.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > TextColumns.get()) {
                out.append(line).append('\n');
                line = new StringBuilder(" ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        out.append(line).append('\n');
    }

    /** Writes the lines of a table, without its title. */
    private static void write(Table table, StringBuilder out) {
        String separator = "";
        for (Table part : parts(table)) {
            out.append(separator);
            separator = "\n";
            TextWriter layout = of(part);
            Stream.concat(layout.head().stream(), layout.rows(0).stream())
                    .forEach(line -> out.append(line).append('\n'));
        }
    }

    /** Returns tables that fit, each with some columns; where possible, columns of a group are in the same table. */
    private static List<Table> parts(Table table) {
        List<Table.Column> columns = table.columns();
        int names = table.axes();
        while (names < columns.size() && columns.get(names).isText()) {
            names++;
        }
        List<Table> parts = new ArrayList<>();
        for (int first = names; first < columns.size(); ) {
            int end = columns.size();
            while (end > first + 1 && of(part(table, names, first, end)).width() > TextColumns.get()) {
                end--;
            }
            int groupBegin = end;
            while (end < columns.size()
                    && groupBegin > first
                    && !columns.get(end).group().isEmpty()
                    && columns.get(groupBegin - 1)
                            .group()
                            .equals(columns.get(end).group())) {
                groupBegin--;
            }
            end = groupBegin > first ? groupBegin : end;
            parts.add(part(table, names, first, end));
            first = end;
        }
        return parts.isEmpty() ? List.of(table) : parts;
    }

    private static Table part(Table table, int names, int first, int end) {
        List<Integer> kept = IntStream.concat(IntStream.range(0, names), IntStream.range(first, end))
                .boxed()
                .toList();
        return new Table(
                table.title(),
                kept.stream().map(table.columns()::get).toList(),
                table.rows().stream()
                        .map(row -> kept.stream().map(row::get).toList())
                        .toList(),
                table.axes());
    }

    /** Returns the layout of a table that fits best. */
    static TextWriter of(Table table) {
        int network = Math.min(1, table.axes());
        TextWriter wide = new TextWriter(table, network, "  ");
        return Stream.of(
                        wide,
                        new TextWriter(table, network, " "),
                        new TextWriter(table, table.axes(), "  "),
                        new TextWriter(table, table.axes(), " "))
                .filter(layout -> layout.width() <= TextColumns.get())
                .findFirst()
                .orElse(wide);
    }

    /** Returns the lines of a column's head: one for each word, then the unit. */
    private static List<String> head(Table.Column column) {
        List<String> lines = new ArrayList<>(List.of(column.header().split(" ", -1)));
        lines.add(column.unit());
        return lines;
    }

    private int[] widths() {
        int[] all = IntStream.range(0, columns.size())
                .map(i -> lines.stream()
                        .mapToInt(line -> line.get(i).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (Table.Group group : groups) {
            int last = group.first() + group.columns() - 1;
            all[last] += Math.max(0, group.title().length() - width(all, group));
        }
        return all;
    }

    private int width(int[] all, Table.Group group) {
        return IntStream.range(group.first(), group.first() + group.columns())
                        .map(i -> all[i])
                        .sum()
                + gap.length() * (group.columns() - 1);
    }

    private int width() {
        return IntStream.of(widths).sum() + gap.length() * (widths.length - 1);
    }

    /** Returns the lines of the head: the titles of groups, then those of columns. */
    List<String> head() {
        List<String> head = new ArrayList<>();
        if (!groups.isEmpty()) {
            head.add(groups.stream()
                    .map(this::ruled)
                    .collect(Collectors.joining(gap))
                    .stripTrailing());
        }
        lines.subList(0, lines.size() - table.rows().size()).forEach(line -> head.add(aligned(line)));
        return head;
    }

    /** Returns the lines of the rows from index {@code first} on. The name of a point stands above its first row. */
    List<String> rows(int first) {
        List<String> all = new ArrayList<>();
        int heads = lines.size() - table.rows().size();
        String previous = first == 0 ? "" : name(table.rows().get(first - 1));
        for (int i = first; i < table.rows().size(); i++) {
            String name = name(table.rows().get(i));
            if (!name.equals(previous)) {
                all.add(name.stripTrailing());
                previous = name;
            }
            all.add(aligned(lines.get(heads + i)));
        }
        return all;
    }

    private String aligned(List<String> line) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> padded(
                        line.get(column), widths[column], columns.get(column).isText()))
                .collect(Collectors.joining(gap))
                .stripTrailing();
    }

    /** Returns the line above the rows of a point: "TCP/IP", "TCP/IP, send-buffer 4096". */
    private String name(List<String> row) {
        return named.stream()
                .filter(i -> !row.get(i).equals(Numbers.NONE))
                .map(i -> i == 0
                        ? row.get(i)
                        : table.columns().get(i).header().toLowerCase(Locale.ROOT) + " " + row.get(i))
                .collect(Collectors.joining(", "));
    }

    /** Returns the title of a group within a line as wide as the group's columns. */
    private String ruled(Table.Group group) {
        int width = width(widths, group);
        int rule = width - group.title().length() - 2;
        return group.title().isEmpty() || rule < 2
                ? padded(group.title(), width, true)
                : "─".repeat(rule / 2) + " " + group.title() + " " + "─".repeat(rule - rule / 2);
    }

    private static String padded(String text, int width, boolean isLeft) {
        String space = " ".repeat(Math.max(0, width - text.length()));
        return isLeft ? text + space : space + text;
    }
}

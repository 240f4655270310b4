package org.lagbench.report.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes tables as LaTeX, each a float as wide as the text, for the packages booktabs and graphicx; a network's name
 * stands in its first row only.
 */
final class LatexWriter {
    private LatexWriter() {}

    static void write(Document document, Appendable out) throws IOException {
        List<String> notes = new ArrayList<>(document.marks());
        notes.addAll(document.notes());
        out.append("% needs \\usepackage{booktabs,graphicx}\n");
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                write(table, notes, out);
            }
        }
        if (document.tables().stream().allMatch(table -> table.rows().isEmpty())) {
            writeNotes(notes, out);
        }
    }

    private static void write(Table table, List<String> notes, Appendable out) throws IOException {
        List<Column> columns = table.columns();
        out.append("\\begin{table}\n\\centering\n\\caption{")
                .append(escaped(table.title()))
                .append("}\n\\resizebox{\\linewidth}{!}{%\n\\begin{tabular}{");
        out.append(columns.stream().map(column -> column.isText() ? "l" : "r").collect(Collectors.joining()));
        out.append("}\n\\toprule\n");
        if (!table.groups().isEmpty()) {
            writeGroups(table.groups(), out);
        }
        writeRow(columns.stream().map(LatexWriter::head).toList(), out);
        out.append("\\midrule\n");
        String network = "";
        for (List<String> row : table.rows()) {
            boolean isNew = !row.get(0).equals(network);
            if (isNew && !network.isEmpty()) {
                out.append("\\addlinespace\n");
            }
            network = row.get(0);
            List<String> cells = row.stream().map(LatexWriter::escaped).collect(Collectors.toList());
            cells.set(0, isNew ? escaped(network) : "");
            writeRow(cells, out);
        }
        out.append("\\bottomrule\n\\end{tabular}}\n\n");
        writeNotes(notes, out);
        out.append("\\end{table}\n");
    }

    private static void writeGroups(List<Table.Group> groups, Appendable out) throws IOException {
        StringBuilder rules = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (Table.Group group : groups) {
            line.append(group.first() == 0 ? "" : " & ");
            if (group.title().isEmpty()) {
                line.append(" & ".repeat(group.columns() - 1));
            } else {
                line.append("\\multicolumn{" + group.columns() + "}{c}{" + escaped(group.title()) + "}");
                int last = group.first() + group.columns();
                rules.append("\\cmidrule(lr){" + (group.first() + 1) + "-" + last + "}\n");
            }
        }
        out.append(line).append(" \\\\\n").append(rules);
    }

    /** One word a line, the unit last, so that the columns are no wider than they must be. */
    private static String head(Column column) {
        List<String> lines = new ArrayList<>(
                List.of(escaped(column.header().replace("- ", "")).split(" ", -1)));
        if (!column.unit().isEmpty()) {
            lines.add("(" + escaped(column.unit()) + ")");
        }
        String alignment = column.isText() ? "[l]" : "[r]";
        return lines.size() == 1 ? lines.get(0) : "\\shortstack" + alignment + "{" + String.join("\\\\", lines) + "}";
    }

    private static void writeNotes(List<String> notes, Appendable out) throws IOException {
        out.append("{\\footnotesize\\raggedright\n");
        for (String note : notes) {
            out.append(escaped(note)).append("\\par\n");
        }
        out.append("}\n");
    }

    private static void writeRow(List<String> cells, Appendable out) throws IOException {
        out.append(String.join(" & ", cells).strip()).append(" \\\\\n");
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        boolean openingQuote = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&', '%', '$', '#', '_', '{', '}' -> escaped.append('\\').append(c);
                case '\\' -> escaped.append("\\textbackslash{}");
                case '~' -> escaped.append("\\textasciitilde{}");
                case '^' -> escaped.append("\\textasciicircum{}");
                case '|' -> escaped.append("\\textbar{}");
                case '<' -> escaped.append("\\textless{}");
                case '>' -> escaped.append("\\textgreater{}");
                case 'µ' -> escaped.append("$\\mu$");
                case '±' -> escaped.append("$\\pm$");
                case '≤' -> escaped.append("$\\le$");
                case '−' -> escaped.append("$-$");
                case '–' -> escaped.append("--");
                case '\n' -> escaped.append(' ');
                case '"' -> {
                    escaped.append(openingQuote ? "``" : "''");
                    openingQuote = !openingQuote;
                }
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}

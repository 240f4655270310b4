package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes tables as LaTeX floats of full text width, for the packages booktabs and graphicx. Only the first row of a
 * network has its name.
 */
final class LatexWriter {
    private static final Map<String, String> ESCAPES = Map.ofEntries(
            Map.entry("\\", "\\textbackslash{}"),
            Map.entry("~", "\\textasciitilde{}"),
            Map.entry("^", "\\textasciicircum{}"),
            Map.entry("|", "\\textbar{}"),
            Map.entry("<", "\\textless{}"),
            Map.entry(">", "\\textgreater{}"),
            Map.entry("µ", "$\\mu$"),
            Map.entry("±", "$\\pm$"),
            Map.entry("≤", "$\\le$"),
            Map.entry("−", "$-$"),
            Map.entry("–", "--"),
            Map.entry("\n", " "));

    private static final Pattern SPECIAL = Pattern.compile("[\\\\~^|<>µ±≤−–\n&%$#_{}]");

    private LatexWriter() {}

    static void write(Document document, StringBuilder out) {
        List<String> notes = new ArrayList<>(document.warnings());
        notes.addAll(document.lead());
        notes.addAll(document.marks());
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

    private static void write(Table table, List<String> notes, StringBuilder out) {
        List<Table.Column> columns = table.columns();
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

    private static void writeGroups(List<Table.Group> groups, StringBuilder out) {
        StringBuilder rules = new StringBuilder();
        List<String> cells = new ArrayList<>();
        for (Table.Group group : groups) {
            if (group.title().isEmpty()) {
                cells.add(" & ".repeat(group.columns() - 1));
            } else {
                cells.add("\\multicolumn{" + group.columns() + "}{c}{" + escaped(group.title()) + "}");
                int last = group.first() + group.columns();
                rules.append("\\cmidrule(lr){" + (group.first() + 1) + "-" + last + "}\n");
            }
        }
        out.append(String.join(" & ", cells)).append(" \\\\\n").append(rules);
    }

    /** Returns a head with one line for each word and for the unit, to keep columns narrow. */
    private static String head(Table.Column column) {
        String lines = escaped(column.header()).replace(" ", "\\\\")
                + (column.unit().isEmpty() ? "" : "\\\\(" + escaped(column.unit()) + ")");
        String alignment = column.isText() ? "[l]" : "[r]";
        return lines.contains("\\\\") ? "\\shortstack" + alignment + "{" + lines + "}" : lines;
    }

    private static void writeNotes(List<String> notes, StringBuilder out) {
        out.append("{\\footnotesize\\raggedright\n");
        for (String note : notes) {
            out.append(escaped(note)).append("\\par\n");
        }
        out.append("}\n");
    }

    private static void writeRow(List<String> cells, StringBuilder out) {
        out.append(String.join(" & ", cells).strip()).append(" \\\\\n");
    }

    private static String escaped(String text) {
        return SPECIAL.matcher(text)
                .replaceAll(special ->
                        Matcher.quoteReplacement(ESCAPES.getOrDefault(special.group(), "\\" + special.group())))
                .replaceAll("\"([^\"]*)\"", "``$1''")
                .replace("\"", "``");
    }
}

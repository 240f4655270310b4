package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.JsonNode;

/** The formats of a summary. All are UTF-8 text, the same in every locale. */
public enum TableFormat implements TextEnum {
    /**
     * Columns aligned by spaces, within {@link TextColumns}. The lag table of an experiment without further axes fits
     * 80 columns.
     */
    TEXT,
    /** Comma-separated values with a row for each point and each run. */
    CSV,
    /** Comma-separated values with a row for each metric of each point and run. */
    LONG,
    /** JSON, described by {@code summary.schema.json}. */
    JSON,
    /** Tables with pipes. */
    MARKDOWN,
    /** LaTeX floats for the packages booktabs and graphicx. */
    LATEX;

    /** Returns whether it is for programs: it has all series and every run. */
    public boolean isForPrograms() {
        return this == CSV || this == LONG || this == JSON;
    }

    /** Returns the groups of metrics that a summary needs for this format and view. */
    public Set<MetricGroup<?>> needs(TableView view) {
        Set<MetricGroup<?>> groups = new HashSet<>(
                isForPrograms() ? SummaryOptions.all() : view.view().needs());
        if (view.allSeries()) {
            groups.add(MetricGroup.SERIES);
        }
        return groups;
    }

    /** Returns a document in a format for people. */
    public String text(Document document) {
        StringBuilder text = new StringBuilder();
        switch (this) {
            case MARKDOWN -> MarkdownWriter.write(document, text);
            case LATEX -> LatexWriter.write(document, text);
            default -> TextWriter.write(document, text);
        }
        return text.toString();
    }

    /** Returns all metrics as CSV or JSON; in other formats, the {@linkplain Views#defaultOf default view}. */
    public String text(Summary summary) {
        return result(summary).text(this);
    }

    /** Returns the result of which {@link #text(Summary)} is the text. */
    public Result result(Summary summary) {
        return SummaryDocument.result(
                summary, isForPrograms() ? null : TableView.of(Views.load().defaultOf(summary)));
    }

    /** Returns the tree of {@link #JSON}. */
    public static JsonNode tree(Summary summary) {
        return SummaryDocument.tree(summary, null);
    }

    /** Writes tables as GitHub's Markdown. */
    private static final class MarkdownWriter {
        private MarkdownWriter() {}

        /** Writes the warnings as comments, the lead, the tables, then the notes. */
        static void write(Document document, StringBuilder out) {
            document.remarks().forEach(remark -> out.append("<!-- ")
                    .append(remark.replace("-->", "--&gt;"))
                    .append(" -->\n"));
            out.append(document.remarks().isEmpty() ? "" : "\n");
            document.lead().forEach(sentence -> out.append(escaped(sentence)).append("\n\n"));
            for (Table table : document.tables()) {
                out.append("### ").append(escaped(table.title())).append("\n\n");
                writeRow(table.columns().stream().map(MarkdownWriter::head), out);
                writeRow(table.columns().stream().map(column -> column.isText() ? ":--" : "--:"), out);
                for (List<String> row : table.rows()) {
                    writeRow(row.stream().map(MarkdownWriter::escaped), out);
                }
                out.append('\n');
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

    /**
     * Writes tables as LaTeX floats of full text width, for the packages booktabs and graphicx. Only the first row of a
     * network has its name.
     */
    private static final class LatexWriter {
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
                Map.entry("Δ", "$\\Delta$"),
                Map.entry("√", "$\\surd$"),
                Map.entry("→", "$\\rightarrow$"),
                Map.entry("–", "--"),
                Map.entry("\n", " "));

        private static final Pattern SPECIAL = Pattern.compile("[\\\\~^|<>µ±≤−Δ√→–\n&%$#_{}]");

        private LatexWriter() {}

        static void write(Document document, StringBuilder out) {
            List<String> notes = new ArrayList<>(document.lead());
            notes.addAll(document.notes());
            document.remarks().forEach(remark -> out.append("% ").append(remark).append('\n'));
            out.append("% needs \\usepackage{booktabs,graphicx}\n");
            for (Table table : document.tables()) {
                write(table, notes, out);
            }
            if (document.tables().isEmpty()) {
                writeNotes(notes, out);
            }
        }

        private static void write(Table table, List<String> notes, StringBuilder out) {
            List<Table.Column> columns = table.columns();
            out.append("\\begin{table}\n\\centering\n\\caption{")
                    .append(escaped(table.title()))
                    .append("}\n\\resizebox{\\linewidth}{!}{%\n\\begin{tabular}{");
            out.append(
                    columns.stream().map(column -> column.isText() ? "l" : "r").collect(Collectors.joining()));
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
}

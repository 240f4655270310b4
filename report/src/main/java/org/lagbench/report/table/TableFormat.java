package org.lagbench.report.table;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Summary;
import tools.jackson.databind.JsonNode;

/** The formats of a summary. All are UTF-8 text, the same in every locale. */
public enum TableFormat {
    /** Columns aligned by spaces. The lag table of an experiment without further axes fits 80 columns. */
    TEXT,
    /** Comma-separated values with a row for each point and each run. */
    CSV,
    /** JSON, described by {@code summary.schema.json}. */
    JSON,
    /** Tables with pipes. */
    MARKDOWN,
    /** LaTeX floats for the packages booktabs and graphicx. */
    LATEX;

    /** Returns whether it is for programs: it has all series and every run. */
    public boolean isForPrograms() {
        return this == CSV || this == JSON;
    }

    /** Returns the details that a summary needs for this format and view. */
    public Set<Detail> details(TableView view) {
        Set<Detail> details = EnumSet.noneOf(Detail.class);
        details.addAll(isForPrograms() ? Detail.ALL : view.view().content().details());
        if (view.allSeries()) {
            details.add(Detail.COMPANIONS);
        }
        return details;
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Writes the part of a summary that a view shows; formats for programs have all series and every run. */
    public void write(Summary summary, TableView view, Appendable out) throws IOException {
        StringBuilder text = new StringBuilder();
        switch (this) {
            case CSV -> text.append(SummaryDocument.csv(summary, view.view()));
            case JSON -> text.append(SummaryDocument.json(summary, view.view()));
            default -> write(Document.of(summary, view), text);
        }
        out.append(text);
    }

    /** Writes a document in a format for people. */
    public void write(Document document, StringBuilder out) {
        switch (this) {
            case MARKDOWN -> MarkdownWriter.write(document, out);
            case LATEX -> LatexWriter.write(document, out);
            default -> TextWriter.write(document, out);
        }
    }

    /** Writes all figures as CSV or JSON; in other formats, writes the {@linkplain View#defaultOf default view}. */
    public void write(Summary summary, Appendable out) throws IOException {
        switch (this) {
            case CSV -> out.append(SummaryDocument.csv(summary, null));
            case JSON -> out.append(SummaryDocument.json(summary, null));
            default -> write(summary, new TableView(View.defaultOf(summary), false, false), out);
        }
    }

    /** Returns the tree of {@link #JSON}. */
    public static JsonNode tree(Summary summary) {
        return SummaryDocument.tree(summary, null);
    }
}

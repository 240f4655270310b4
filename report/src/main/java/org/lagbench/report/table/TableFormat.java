package org.lagbench.report.table;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Summary;
import tools.jackson.databind.JsonNode;

/** The formats that a summary can be written in. All are UTF-8 text and the same whatever the locale. */
public enum TableFormat {
    /**
     * Columns aligned by spaces, for a terminal; the lag table of an experiment without further axes fits 120 columns.
     */
    TEXT,
    /** Comma-separated values of everything, a row a point and a row a run. */
    CSV,
    /** Everything as JSON, by {@code summary.schema.json}. */
    JSON,
    /** Tables with pipes. */
    MARKDOWN,
    /** Floats for the packages booktabs and graphicx. */
    LATEX;

    /** What of a summary must be there to be written with such a view. */
    public Set<Detail> details(TableView view) {
        Set<Detail> details = EnumSet.noneOf(Detail.class);
        details.addAll(
                this == CSV || this == JSON ? Detail.ALL : view.view().content().details());
        if (view.allSeries()) {
            details.add(Detail.COMPANIONS);
        }
        return details;
    }

    /** The name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes a summary.
     *
     * @param view which tables; of no consequence for CSV and JSON, which hold everything
     */
    public void write(Summary summary, TableView view, Appendable out) throws IOException {
        switch (this) {
            case TEXT -> TextWriter.write(Document.of(summary, view), out);
            case CSV -> out.append(SummaryDocument.of(summary).csv());
            case JSON -> out.append(ResultMapper.text(SummaryDocument.of(summary)));
            case MARKDOWN -> MarkdownWriter.write(Document.of(summary, view), out);
            case LATEX -> LatexWriter.write(Document.of(summary, view), out);
        }
    }

    /** Writes a summary, {@link TableView#LAG}. */
    public void write(Summary summary, Appendable out) throws IOException {
        write(summary, TableView.LAG, out);
    }

    /** Returns a summary as a tree, as {@link #JSON} has it. */
    public static JsonNode tree(Summary summary) {
        return ResultMapper.tree(SummaryDocument.of(summary));
    }
}

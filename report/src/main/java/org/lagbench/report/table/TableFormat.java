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
    /** Columns aligned by spaces. The lag table of an experiment without further axes fits 120 columns. */
    TEXT,
    /** Comma-separated values of everything, with a row for each point and each run. */
    CSV,
    /** Everything as JSON, described by {@code summary.schema.json}. */
    JSON,
    /** Tables with pipes. */
    MARKDOWN,
    /** Floats for the packages booktabs and graphicx. */
    LATEX;

    /** Returns the details that a summary needs for this format and view. */
    public Set<Detail> details(TableView view) {
        Set<Detail> details = EnumSet.noneOf(Detail.class);
        details.addAll(
                this == CSV || this == JSON ? Detail.ALL : view.view().content().details());
        if (view.allSeries()) {
            details.add(Detail.COMPANIONS);
        }
        return details;
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes a summary.
     *
     * @param view ignored by CSV and JSON, which contain everything
     */
    public void write(Summary summary, TableView view, Appendable out) throws IOException {
        StringBuilder text = new StringBuilder();
        switch (this) {
            case TEXT -> TextWriter.write(Document.of(summary, view), text);
            case CSV -> text.append(SummaryDocument.csv(summary));
            case JSON -> text.append(ResultMapper.text(SummaryDocument.members(summary)));
            case MARKDOWN -> MarkdownWriter.write(Document.of(summary, view), text);
            case LATEX -> LatexWriter.write(Document.of(summary, view), text);
        }
        out.append(text);
    }

    /** Writes a summary as {@link TableView#LAG}. */
    public void write(Summary summary, Appendable out) throws IOException {
        write(summary, TableView.LAG, out);
    }

    /** Returns the tree of {@link #JSON}. */
    public static JsonNode tree(Summary summary) {
        return ResultMapper.tree(SummaryDocument.members(summary));
    }
}

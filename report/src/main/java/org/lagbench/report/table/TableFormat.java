package org.lagbench.report.table;

import java.util.HashSet;
import java.util.Set;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.JsonNode;

/** The formats of a summary. All are UTF-8 text, the same in every locale. */
public enum TableFormat implements TextEnum {
    /** Columns aligned by spaces. The lag table of an experiment without further axes fits 80 columns. */
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

    /** Returns all metrics as CSV or JSON; in other formats, the {@linkplain View#defaultOf default view}. */
    public String text(Summary summary) {
        return result(summary).text(this);
    }

    /** Returns the result of which {@link #text(Summary)} is the text. */
    public Result result(Summary summary) {
        return SummaryDocument.result(summary, isForPrograms() ? null : TableView.of(View.defaultOf(summary)));
    }

    /** Returns the tree of {@link #JSON}. */
    public static JsonNode tree(Summary summary) {
        return SummaryDocument.tree(summary, null);
    }
}

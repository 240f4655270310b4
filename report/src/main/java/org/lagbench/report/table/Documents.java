package org.lagbench.report.table;

import org.lagbench.analysis.summary.Summary;

/** Makes the document that a view of a summary is. */
public final class Documents {
    private Documents() {}

    /** The tables of that view, with the marks and notes below them. */
    public static Document of(Summary summary, TableView view) {
        PointRows rows = new PointRows(summary, view.everyRun());
        ViewContent content = view.view().content();
        return new Document(content.tables(rows, view.allSeries()), Notes.marks(summary), content.notes(rows));
    }
}

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.summary.Summary;

/**
 * Tables with the notes below them.
 *
 * @param tables in their order
 * @param marks what must not be missed below any of them, each a sentence or more
 * @param notes what a reader must know of all of them, each a sentence or more
 */
public record Document(List<Table> tables, List<String> marks, List<String> notes) {
    /** Returns the tables of that view of a summary, with the marks and notes below them. */
    public static Document of(Summary summary, TableView view) {
        PointRows rows = new PointRows(summary, view.everyRun());
        ViewContent content = view.view().content();
        List<String> notes = new ArrayList<>(content.notes(rows));
        notes.addAll(TableNotes.ofRuns(summary));
        return new Document(content.tables(rows, view.allSeries()), TableNotes.marks(summary), notes);
    }
}

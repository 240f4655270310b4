package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.Summary;

/**
 * Tables with the notes below them.
 *
 * @param marks warnings that are repeated below each table
 */
public record Document(List<Table> tables, List<String> marks, List<String> notes) {
    public static final Document EMPTY = new Document(List.of(), List.of(), List.of());

    /** Returns a view of a summary. */
    public static Document of(Summary summary, TableView view) {
        PointRows rows = new PointRows(summary, view.everyRun());
        ViewContent content = view.view().content();
        List<String> notes = new ArrayList<>(content.notes(rows));
        notes.addAll(TableNotes.ofRuns(summary));
        return new Document(content.tables(rows, view.allSeries()), TableNotes.marks(summary), notes);
    }

    /** Returns the tables that have rows and do not occur in another document, with the marks. */
    public Document without(Document other) {
        Set<String> titles = other.tables.stream().map(Table::title).collect(Collectors.toSet());
        List<Table> left = tables.stream()
                .filter(table -> !table.rows().isEmpty() && !titles.contains(table.title()))
                .toList();
        return new Document(left, marks, List.of());
    }
}

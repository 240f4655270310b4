package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.Summary;

/**
 * Tables with the notes below them.
 *
 * @param warnings what a reader must know before any metric
 * @param marks warnings that are repeated below each table
 */
public record Document(List<String> warnings, List<Table> tables, List<String> marks, List<String> notes) {
    public static final Document EMPTY = new Document(List.of(), List.of(), List.of());

    /** Creates a document without warnings. */
    public Document(List<Table> tables, List<String> marks, List<String> notes) {
        this(List.of(), tables, marks, notes);
    }

    public static Document of(Summary summary, TableView view) {
        return of(summary, view, new PointRows(summary, view.everyRun()));
    }

    static Document of(Summary summary, TableView view, PointRows rows) {
        SummaryView content = view.view().ofPoints();
        List<Table> tables = content.tables(rows, view.allSeries());
        List<String> marks = TableNotes.marks(summary);
        List<String> notes = new ArrayList<>();
        if (tables.stream().allMatch(table -> table.rows().isEmpty())) {
            notes.addAll(marks); // there is no table below which they would be printed
        }
        notes.addAll(content.notes(rows));
        notes.addAll(TableNotes.ofRuns(summary));
        return new Document(Warnings.of(summary), tables, marks, notes);
    }

    /**
     * Returns tables of a summary with its warnings and marks, and the notes on its runs. Titles are marked if runs
     * began with clocks over the limit.
     */
    public static Document of(Summary summary, List<Table> tables, List<String> notes) {
        PointRows rows = new PointRows(summary, false);
        return new Document(
                Warnings.of(summary),
                tables.stream()
                        .map(table -> new Table(rows.title(table.title()), table.columns(), table.rows(), table.axes()))
                        .toList(),
                TableNotes.marks(summary),
                Stream.concat(notes.stream(), TableNotes.ofRuns(summary).stream())
                        .toList());
    }

    /** Returns the notes on excluded runs, which every view has. */
    public static List<String> notesOnExcluded(Summary summary) {
        return TableNotes.ofExcluded(summary);
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

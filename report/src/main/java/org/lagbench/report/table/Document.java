package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.UntrustedText;

/**
 * Tables that have rows, with the notes below them. Each note becomes one printable line.
 *
 * @param warnings warnings shown before any metric
 * @param lead the results in sentences, above the tables
 * @param marks warnings shown once, below the tables
 */
public record Document(
        List<String> warnings, List<String> lead, List<Table> tables, List<String> marks, List<String> notes) {
    public static final Document EMPTY = new Document(List.of(), List.of());

    public Document {
        warnings = printable(warnings);
        lead = printable(lead);
        tables = tables.stream().filter(table -> !table.rows().isEmpty()).toList();
        marks = printable(marks);
        notes = printable(notes);
    }

    /** Returns the warnings and marks, which are comments in documents to be published. */
    List<String> remarks() {
        return Stream.concat(warnings.stream().map(warning -> "! " + warning), marks.stream())
                .toList();
    }

    private static List<String> printable(List<String> sentences) {
        return sentences.stream()
                .map(sentence -> UntrustedText.escape(sentence.replace('\n', ' ')))
                .toList();
    }

    /** Creates a document without warnings and marks. */
    public Document(List<String> lead, List<Table> tables, List<String> notes) {
        this(List.of(), lead, tables, List.of(), notes);
    }

    /** Creates a document of tables and notes. */
    public Document(List<Table> tables, List<String> notes) {
        this(List.of(), tables, notes);
    }

    public static Document of(Summary summary, TableView view) {
        return of(summary, view, new PointRows(summary, view));
    }

    static Document of(Summary summary, TableView view, PointRows rows) {
        List<Table> tables = view.view().tables(rows);
        List<String> marks = TableNotes.marks(summary, view.everyRun());
        List<String> notes = new ArrayList<>();
        if (tables.stream().allMatch(table -> table.rows().isEmpty())) {
            notes.addAll(marks); // there is no table below which they would be printed
        }
        notes.addAll(view.view().notes(rows));
        notes.addAll(TableNotes.ofRuns(summary));
        List<String> lead = view.view().isBelowAnother() ? List.of() : WhatRan.of(summary);
        return new Document(Warnings.of(summary), lead, tables, marks, notes);
    }

    /**
     * Returns tables of a summary with its warnings and marks, and the notes on its runs. Titles are marked if runs
     * began with clocks over the limit.
     */
    public static Document of(Summary summary, List<Table> tables, List<String> notes) {
        PointRows rows = new PointRows(summary, TableView.LAG);
        return new Document(
                Warnings.of(summary),
                List.of(),
                tables.stream()
                        .map(table -> new Table(rows.title(table.title()), table.columns(), table.rows(), table.axes()))
                        .toList(),
                TableNotes.marks(summary, false),
                Stream.concat(notes.stream(), TableNotes.ofRuns(summary).stream())
                        .toList());
    }
}

package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;

/** Formats the row of each run when it has ended, as in the first table of the default view. Not thread-safe. */
public final class RunRows {
    public static final SummaryOptions OPTIONS = new SummaryOptions(TableFormat.TEXT.needs(TableView.LAG));

    private final List<MeasuredPoint> points;
    private final List<List<String>> rows = new ArrayList<>();
    private List<Table.Column> columns = List.of();
    private List<String> head = List.of();

    /**
     * Creates the rows of an experiment.
     *
     * @param points all its points, which decide on the columns
     */
    public RunRows(List<MeasuredPoint> points) {
        this.points = List.copyOf(points);
    }

    /**
     * Adds a run. The columns are as wide as the rows so far need.
     *
     * @param ofRun the summary of a session with only this run
     * @return its row, below the name of its network and the head of the table if they differ from those above; nothing
     *     if the run is excluded
     */
    public List<String> add(Summary ofRun) {
        List<Table> tables = Document.of(ofRun, TableView.LAG, new PointRows(ofRun, TableView.LAG, points))
                .tables();
        if (tables.isEmpty()) {
            return List.of();
        }
        Table table = tables.get(0);
        List<String> added = new ArrayList<>();
        for (List<String> row : table.rows()) {
            if (!table.columns().equals(columns)) {
                columns = table.columns();
                rows.clear();
            }
            rows.add(row);
            TextWriter layout = layout(table);
            if (rows.size() == 1 || !words(layout.head()).equals(words(head))) {
                rows.subList(0, rows.size() - 1).clear();
                layout = layout(table);
                added.addAll(layout.head());
            }
            head = layout.head();
            added.addAll(layout.rows(rows.size() - 1));
        }
        return added;
    }

    private TextWriter layout(Table table) {
        return TextWriter.of(new Table(table.title(), table.columns(), rows, table.axes()));
    }

    /** Returns lines without rules and repeated spaces, which depend on the width of columns. */
    private static List<String> words(List<String> lines) {
        return lines.stream().map(line -> line.replaceAll("[-─ ]+", " ")).toList();
    }
}

package org.lagbench.report.table;

/**
 * What the tables that people read show. CSV and JSON hold everything always.
 *
 * @param view which tables
 * @param allSeries whether inter-packet delays, lateness and lag from the scheduled time follow the lag table
 * @param everyRun whether each run has a row, above that of its point
 */
public record TableView(View view, boolean allSeries, boolean everyRun) {
    /** The lag summary table and the counts of packets. */
    public static final TableView LAG = new TableView(View.LAG, false, false);

    /** The tables of all series. */
    public static final TableView ALL_SERIES = new TableView(View.LAG, true, false);
}

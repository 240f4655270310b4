package org.lagbench.report.table;

/**
 * The tables to show in formats for people. CSV and JSON always contain everything.
 *
 * @param allSeries whether to show inter-packet delays, lateness and lag from the scheduled time too
 * @param everyRun whether each run has a row above that of its point
 */
public record TableView(View view, boolean allSeries, boolean everyRun) {
    /** The lag table and the packet counts. */
    public static final TableView LAG = new TableView(View.LAG, false, false);

    /** The tables of all series. */
    public static final TableView ALL_SERIES = new TableView(View.LAG, true, false);
}

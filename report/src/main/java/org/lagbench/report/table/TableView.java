package org.lagbench.report.table;

/**
 * The tables to show.
 *
 * @param allSeries whether to show inter-packet delays, lateness and lag from the scheduled time too
 * @param everyRun whether each run has a row above that of its point
 */
public record TableView(View view, boolean allSeries, boolean everyRun) {
    /** Loss, lag, inter-packet delay and packet counts. */
    public static final TableView LAG = new TableView(View.LAG, false, false);

    /** The lag table in the paper's form and the packet counts. */
    public static final TableView PAPER = new TableView(View.PAPER, false, false);

    /** The tables of all series in the paper's form. */
    public static final TableView ALL_SERIES = new TableView(View.PAPER, true, false);
}

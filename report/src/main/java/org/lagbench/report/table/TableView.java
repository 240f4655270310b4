package org.lagbench.report.table;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;

/**
 * The tables to show.
 *
 * @param allSeries whether to show inter-packet delays, lateness and lag from the scheduled time too
 * @param everyRun whether each run has a row above that of its point
 * @param zeros whether to show columns and rows in which all counts are 0
 * @param of the packets whose ledgers a view of ledgers sums
 * @param between what a comparison compares; null for other views
 */
public record TableView(
        View view, boolean allSeries, boolean everyRun, boolean zeros, PacketSet of, @Nullable Between between) {
    /** Loss, lag, inter-packet delay and packet counts. */
    public static final TableView LAG = of(new LagView());

    /** The lag table in the form of Norris and Miller's paper, and the packet counts. */
    public static final TableView PAPER = of(new PaperView());

    /** The tables of all series in the form of Norris and Miller's paper. */
    public static final TableView ALL_SERIES = new TableView(new PaperView(), true, false, null);

    /** The effects of concurrent streams on each other. */
    public static final TableView STREAMS = of(new StreamView());

    /** Creates a view without what is 0; that of ledgers is of the tail. */
    public TableView(View view, boolean allSeries, boolean everyRun, @Nullable Between between) {
        this(view, allSeries, everyRun, false, PacketSet.TAIL, between);
    }

    /** Returns a view of points, without the tables of all series. */
    public static TableView of(View view) {
        return new TableView(view, false, false, null);
    }

    /** Returns the part of a summary that this view shows. */
    public Result result(Summary summary) throws LagbenchException {
        return view.result(summary, this);
    }
}

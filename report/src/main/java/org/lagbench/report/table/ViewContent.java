package org.lagbench.report.table;

import java.util.List;
import java.util.Set;
import org.lagbench.analysis.summary.Detail;

/** What one {@link View} shows. */
interface ViewContent {
    /** What of a summary its tables show beyond the transmit lag. */
    default Set<Detail> details() {
        return Set.of();
    }

    /**
     * The tables that people read.
     *
     * @param allSeries whether companions of the first were asked for
     */
    List<Table> tables(PointRows rows, boolean allSeries);

    /** What is said below the tables, each a sentence or more. */
    List<String> notes(PointRows rows);
}

package org.lagbench.report.table;

import java.util.List;
import java.util.Set;
import org.lagbench.analysis.summary.Detail;

/** The content of a {@link View}. */
interface ViewContent {
    /** Returns the details of a summary that its tables show, beyond the transmit lag. */
    default Set<Detail> details() {
        return Set.of();
    }

    /**
     * Returns the tables.
     *
     * @param allSeries whether to add the tables of the other series
     */
    List<Table> tables(PointRows rows, boolean allSeries);

    /** Returns the notes below the tables. */
    List<String> notes(PointRows rows);
}

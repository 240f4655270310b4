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

    /** Returns the members of the figures in CSV and JSON that its tables show. */
    Set<String> members();

    /**
     * Returns the tables.
     *
     * @param allSeries whether to add the tables of all series besides the lag
     */
    List<Table> tables(PointRows rows, boolean allSeries);

    /** Returns the notes below the tables. */
    List<String> notes(PointRows rows);
}

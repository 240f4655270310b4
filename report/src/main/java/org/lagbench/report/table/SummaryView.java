package org.lagbench.report.table;

import java.util.List;
import java.util.Set;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;

/** The content of a view whose rows are the points of a summary, and its runs on request. */
interface SummaryView extends ViewContent {
    /** Returns the groups of metrics that it shows; in CSV and JSON, the only ones besides those of every view. */
    Set<MetricGroup<?>> groups();

    @Override
    default Set<MetricGroup<?>> needs() {
        return groups();
    }

    @Override
    default Result result(Summary summary, TableView view) {
        return SummaryDocument.result(summary, view);
    }

    /**
     * Returns the tables.
     *
     * @param allSeries whether to add the tables of all series besides the lag
     */
    List<Table> tables(PointRows rows, boolean allSeries);

    /** Returns the notes below the tables. */
    List<String> notes(PointRows rows);
}

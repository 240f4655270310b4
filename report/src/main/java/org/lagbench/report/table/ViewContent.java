package org.lagbench.report.table;

import java.util.Set;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;

/** The content of a {@link View}. */
interface ViewContent {
    /** Returns the groups of metrics that its tables need of those that are computed on request. */
    Set<MetricGroup<?>> needs();

    /** Returns what it shows of a summary. */
    Result result(Summary summary, TableView view) throws LagbenchException;
}

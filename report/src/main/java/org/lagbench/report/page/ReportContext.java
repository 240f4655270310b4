package org.lagbench.report.page;

import java.util.List;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summary;

/**
 * What a report is made of.
 *
 * @param session where it comes from
 * @param summary what was found of it
 * @param runs the runs that are in the summary's figures, in its order
 */
record ReportContext(Session session, Summary summary, List<ShownRun> runs) {
    ReportContext {
        runs = List.copyOf(runs);
    }

    /** Whether any run has data of that name. */
    boolean has(RunData data) {
        return runs.stream().anyMatch(run -> run.data().containsKey(data));
    }
}

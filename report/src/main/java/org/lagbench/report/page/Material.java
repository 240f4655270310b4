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
record Material(Session session, Summary summary, List<ShownRun> runs) {
    Material {
        runs = List.copyOf(runs);
    }
}

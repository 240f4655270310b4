package org.lagbench.analysis.summary;

import java.util.List;

/**
 * The metrics of a session, computed from the captures and the runs' records alone.
 *
 * @param session the session's name
 * @param corrected whether corrected lags were requested
 * @param points its points in the order of tables; none if all runs are excluded
 * @param streams the effects of concurrent streams on each other; none if the experiment has no streams
 * @param sums the rates of equal streams that were sent at the same time; none without such
 * @param excluded runs that are excluded from the pooled metrics, by name
 * @param damage damaged files of the session and of the included runs
 */
public record Summary(
        String session,
        boolean corrected,
        List<PointSummary> points,
        List<StreamEffect> streams,
        List<StreamSum> sums,
        List<ExcludedRun> excluded,
        List<DamagedFile> damage) {
    /** Creates the summary of a session without parallel streams and damage. */
    public Summary(
            String session,
            boolean corrected,
            List<PointSummary> points,
            List<StreamEffect> streams,
            List<ExcludedRun> excluded) {
        this(session, corrected, points, streams, List.of(), excluded, List.of());
    }
}

package org.lagbench.analysis.summary;

import java.util.List;

/**
 * What was found of a session. Made from the captures and the runs' records alone; the same each time.
 *
 * @param session the session's name
 * @param corrected whether corrected lags were asked for
 * @param points its points in the order of tables; none if all runs are excluded
 * @param streams what streams that were sent at the same time did to each other; none if the experiment has no streams
 * @param excluded runs that are in no pooled figure, by name
 */
public record Summary(
        String session,
        boolean corrected,
        List<PointSummary> points,
        List<StreamEffect> streams,
        List<ExcludedRun> excluded) {
    public Summary {
        points = List.copyOf(points);
        streams = List.copyOf(streams);
        excluded = List.copyOf(excluded);
    }
}

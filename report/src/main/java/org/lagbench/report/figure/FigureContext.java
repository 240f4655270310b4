package org.lagbench.report.figure;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.PointNames;

/** The summary of a session and its captures. */
public final class FigureContext {
    private final Summary summary;
    private final PointNames names;
    private final Map<String, RunDirectory> directories = new LinkedHashMap<>();

    public FigureContext(Session session, Summary summary) {
        this.summary = summary;
        this.names = new PointNames(summary);
        session.runs().forEach(run -> directories.put(run.name(), run));
    }

    /** Returns the session's name. */
    String session() {
        return summary.session();
    }

    /** Returns the points of the session in the order of the tables. */
    List<PointSummary> points() {
        return summary.points();
    }

    PointNames names() {
        return names;
    }

    /** Returns the points by transport, both in the order of the tables. */
    Map<String, List<PointSummary>> byTransport() {
        return points().stream()
                .collect(Collectors.groupingBy(
                        point -> point.point().transport(), LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Returns the directory of a run of the summary.
     *
     * @throws IllegalArgumentException if the session has no such run
     */
    Path directory(String run) {
        RunDirectory directory = directories.get(run);
        if (directory == null) {
            throw new IllegalArgumentException("no run " + run + " in " + directories.keySet());
        }
        return directory.path();
    }

    /** Opens the captures of a run of the summary. */
    JoinedRun open(String run) throws LagbenchException {
        return JoinedRun.open(directory(run));
    }

    /** Returns the lags of all runs of a point. */
    LongValues lags(PointSummary point) {
        return consumer -> {
            for (RunSummary run : point.runs()) {
                try (JoinedRun captures = open(run.name())) {
                    Series.TRANSMIT_LAG.forEach(captures, consumer);
                }
            }
        };
    }
}

package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.PointNames;

/** The session that figures are made of: its summary, and the captures behind it. */
public final class FigureContext {
    private final Summary summary;
    private final PointNames names;
    private final Map<String, RunDirectory> directories = new LinkedHashMap<>();

    /**
     * Of a session.
     *
     * @param summary of that session
     */
    public FigureContext(Session session, Summary summary) {
        this.summary = summary;
        this.names = new PointNames(
                summary.points().stream().map(PointSummary::point).toList());
        session.runs().forEach(run -> directories.put(run.name(), run));
    }

    /** The session's name. */
    String session() {
        return summary.session();
    }

    /** The points of the session in the order of tables. */
    List<PointSummary> points() {
        return summary.points();
    }

    /** What points are called. */
    public PointNames names() {
        return names;
    }

    /** The points by transport, both in the order of tables. */
    Map<String, List<PointSummary>> byTransport() {
        Map<String, List<PointSummary>> groups = new LinkedHashMap<>();
        for (PointSummary point : summary.points()) {
            groups.computeIfAbsent(point.point().transport(), transport -> new ArrayList<>())
                    .add(point);
        }
        return groups;
    }

    /** The run that stands for a point where one run is shown: the first. */
    RunSummary shown(PointSummary point) {
        return point.runs().get(0);
    }

    /**
     * The directory of a run of the summary.
     *
     * @throws IllegalArgumentException if the session has no such run
     */
    RunDirectory directory(String run) {
        RunDirectory directory = directories.get(run);
        if (directory == null) {
            throw new IllegalArgumentException("no run " + run + " in " + directories.keySet());
        }
        return directory;
    }

    /** Opens the captures of a run of the summary. */
    JoinedRun open(String run) throws LagbenchException {
        return JoinedRun.open(directory(run).path());
    }

    /** The lags of all runs of a point. */
    LongValues lags(PointSummary point) {
        return consumer -> {
            for (RunSummary run : point.runs()) {
                try (JoinedRun captures = open(run.name())) {
                    AllSeries.TRANSMIT_LAG.forEach(captures, consumer);
                }
            }
        };
    }
}

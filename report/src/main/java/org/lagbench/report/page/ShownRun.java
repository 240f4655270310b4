package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.Axes;
import tools.jackson.databind.JsonNode;

/**
 * A run as the page shows it.
 *
 * @param directory where it is
 * @param record what became of it
 * @param point its point, with all its runs
 * @param summary its figures
 * @param pointLabel what tells its point apart: "TCP/IP, 992 bytes"
 * @param data what its charts draw, as far as the run has it
 */
record ShownRun(
        RunDirectory directory,
        RunRecord record,
        PointSummary point,
        RunSummary summary,
        String pointLabel,
        Map<RunData, JsonNode> data) {

    /** All runs of a summary, each opened once. */
    static List<ShownRun> of(Session session, Summary summary) throws LagbenchException {
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        Axes axes = new Axes(summary.points().stream().map(PointSummary::point).toList());
        int runs =
                summary.points().stream().mapToInt(point -> point.runs().size()).sum();
        CurveResolution resolution = CurveResolution.of(runs);
        List<ShownRun> shown = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            for (RunSummary run : point.runs()) {
                RunDirectory directory = Objects.requireNonNull(directories.get(run.name()), run.name());
                RunRecord record = Objects.requireNonNull(directory.record(), run.name());
                shown.add(new ShownRun(
                        directory,
                        record,
                        point,
                        run,
                        HumanFormat.point(axes, point.point()),
                        data(directory, resolution)));
            }
        }
        return shown;
    }

    private static Map<RunData, JsonNode> data(RunDirectory directory, CurveResolution resolution)
            throws LagbenchException {
        Map<RunData, JsonNode> data = new EnumMap<>(RunData.class);
        try (JoinedRun run = JoinedRun.open(directory.path())) {
            for (RunData kind : RunData.values()) {
                JsonNode node = kind.of(directory, run, resolution);
                if (!node.isEmpty()) {
                    data.put(kind, node);
                }
            }
        }
        return data;
    }
}

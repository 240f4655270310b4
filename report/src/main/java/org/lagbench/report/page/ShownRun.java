package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.PointNames;

/**
 * A run as the page shows it.
 *
 * @param directory where it is
 * @param record what became of it
 * @param point its point, with all its runs
 * @param summary its figures
 * @param pointLabel what tells its point apart: "TCP/IP, 992 bytes"
 */
record ShownRun(RunDirectory directory, RunRecord record, PointSummary point, RunSummary summary, String pointLabel) {

    /** All runs of a summary. */
    static List<ShownRun> of(Session session, Summary summary) {
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        PointNames names = new PointNames(
                summary.points().stream().map(PointSummary::point).toList());
        List<ShownRun> shown = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            for (RunSummary run : point.runs()) {
                RunDirectory directory = Objects.requireNonNull(directories.get(run.name()), run.name());
                RunRecord record = Objects.requireNonNull(directory.record(), run.name());
                shown.add(new ShownRun(directory, record, point, run, names.full(point.point())));
            }
        }
        return shown;
    }
}

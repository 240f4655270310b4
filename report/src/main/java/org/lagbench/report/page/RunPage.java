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
import org.lagbench.report.page.JsonEntries.Fact;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.TableView;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run to choose for the charts, with its own section.
 *
 * @param number its place in the summary, from 0
 * @param name its name
 * @param transport its transport
 * @param point what tells its point apart: "TCP/IP, 992 bytes"
 * @param repeat which repetition it is
 * @param document its own tables
 * @param facts what its record tells: settings, granted buffers, clocks, counts
 */
public record RunPage(
        int number, String name, String transport, String point, int repeat, Document document, List<Fact> facts) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns all runs of a summary in the order of its tables, those of one point together. */
    static List<List<RunPage>> byPoint(Session session, Summary summary) {
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        PointNames names = new PointNames(
                summary.points().stream().map(PointSummary::point).toList());
        List<List<RunPage>> points = new ArrayList<>();
        int number = 0;
        for (PointSummary point : summary.points()) {
            List<RunPage> runs = new ArrayList<>();
            for (RunSummary run : point.runs()) {
                RunDirectory directory = Objects.requireNonNull(directories.get(run.name()), run.name());
                RunRecord record = Objects.requireNonNull(directory.record(), run.name());
                runs.add(new RunPage(
                        number++,
                        run.name(),
                        record.transport(),
                        names.full(point.point()),
                        run.repeat(),
                        tables(summary, point, run),
                        JsonEntries.of(JSON.valueToTree(record))));
            }
            points.add(runs);
        }
        return points;
    }

    private static Document tables(Summary summary, PointSummary point, RunSummary run) {
        PointSummary alone = new PointSummary(point.point(), run.figures(), List.of(run));
        Document document = HtmlTables.withRows(Document.of(
                new Summary(summary.session(), summary.corrected(), List.of(alone), List.of(), List.of()),
                TableView.ALL_SERIES));
        return new Document(document.tables(), document.marks(), List.of());
    }
}

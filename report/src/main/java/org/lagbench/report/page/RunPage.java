package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.report.page.JsonFacts.Fact;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableView;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run to choose for the charts, with its own section.
 *
 * @param number its place in the page's data, from 0
 * @param name its name
 * @param point what tells its point apart
 * @param repeat which repetition it is
 * @param document its own tables
 * @param facts what its record tells: settings, granted buffers, clocks, counts
 */
public record RunPage(int number, String name, String point, int repeat, Document document, List<Fact> facts) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns all runs in the order of the tables, those of one point together. */
    static List<List<RunPage>> byPoint(ReportContext context) {
        List<List<RunPage>> points = new ArrayList<>();
        for (int number = 0; number < context.runs().size(); number++) {
            ShownRun run = context.runs().get(number);
            if (run.summary().name().equals(run.point().runs().get(0).name())) {
                points.add(new ArrayList<>());
            }
            points.get(points.size() - 1).add(of(context, number));
        }
        return points;
    }

    private static RunPage of(ReportContext context, int number) {
        ShownRun run = context.runs().get(number);
        PointSummary alone = new PointSummary(run.point().point(), run.summary().figures(), List.of(run.summary()));
        Summary summary = new Summary(
                context.summary().session(), context.summary().corrected(), List.of(alone), List.of(), List.of());
        Document document = HtmlTables.withRows(Document.of(summary, TableView.ALL_SERIES));
        return new RunPage(
                number,
                run.summary().name(),
                run.pointLabel(),
                run.summary().repeat(),
                new Document(document.tables(), document.marks(), List.of()),
                JsonFacts.of(JSON.valueToTree(run.record())));
    }
}

package org.lagbench.report.page;

import java.util.List;
import java.util.stream.IntStream;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.report.page.Facts.Fact;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableView;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sections of the single runs.
 *
 * @param runs in the order of the tables
 */
public record RunsModel(List<RunPage> runs) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * One run.
     *
     * @param number its place in the page's data, from 0
     * @param name its name
     * @param label its point and repetition
     * @param document its own tables
     * @param facts what its record tells: settings, granted buffers, clocks, counts
     */
    public record RunPage(int number, String name, String label, Document document, List<Fact> facts) {}

    static RunsModel of(Material material) {
        return new RunsModel(IntStream.range(0, material.runs().size())
                .mapToObj(number -> page(material, number))
                .toList());
    }

    private static RunPage page(Material material, int number) {
        ShownRun run = material.runs().get(number);
        PointSummary alone = new PointSummary(run.point().point(), run.summary().figures(), List.of(run.summary()));
        Summary summary = new Summary(
                material.summary().session(), material.summary().corrected(), List.of(alone), List.of(), List.of());
        Document document = Tables.withRows(Document.of(summary, TableView.ALL_SERIES));
        return new RunPage(
                number,
                run.summary().name(),
                run.pointLabel() + ", run " + run.summary().repeat(),
                new Document(document.tables(), document.marks(), List.of()),
                Facts.of(JSON.valueToTree(run.record())));
    }
}

package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;

/** The sections of the page in their order; those that the session has no data for are absent. */
final class ReportSections {
    private ReportSections() {}

    static List<ReportSection> of(ReportContext context) throws LagbenchException {
        List<ReportSection> sections = new ArrayList<>();
        List<List<RunPage>> runs = RunPage.byPoint(context);
        if (!context.summary().points().isEmpty()) {
            sections.add(
                    new ReportSection("lag-table", "Lag", "tables", Document.of(context.summary(), TableView.LAG)));
            sections.add(ReportSection.of("choice", "Runs in the charts", runs));
        }
        chart(sections, context, RunData.LAG, "over-time", "Lag over time");
        chart(sections, context, RunData.DISTRIBUTION, "distribution", "How lags are distributed");
        chart(sections, context, RunData.SENT, "delays", "Inter-packet delay");
        chart(sections, context, RunData.OCCUPANCY, "occupancy", "How full the buffers were");
        if (context.summary().points().stream().anyMatch(point -> point.pooled().stages() != null)) {
            sections.add(ReportSection.of(
                    "stage-stack", "Where the time went", context.summary().session()));
        }
        for (View view : View.values()) {
            if (view != View.LAG) {
                tables(sections, view.text(), context, new TableView(view, true, false));
            }
        }
        if (!context.summary().points().isEmpty()) {
            Document all = Document.of(context.summary(), TableView.ALL_SERIES);
            Document shown = Document.of(context.summary(), TableView.LAG);
            sections.add(new ReportSection("series", "All series", "tables", HtmlTables.without(all, shown)));
        }
        EnvironmentModel environment = EnvironmentModel.of(context.session());
        if (!environment.isEmpty()) {
            sections.add(ReportSection.of("environment", "Environment", environment));
        }
        if (!context.runs().isEmpty()) {
            sections.add(ReportSection.of("runs", "Runs", runs));
        }
        if (!context.summary().excluded().isEmpty()) {
            sections.add(ReportSection.of(
                    "excluded", "Excluded runs", context.summary().excluded()));
        }
        return sections;
    }

    private static void chart(
            List<ReportSection> sections, ReportContext context, RunData data, String id, String title) {
        if (context.has(data)) {
            sections.add(ReportSection.of(id, title, context.summary().session()));
        }
    }

    private static void tables(List<ReportSection> sections, String id, ReportContext context, TableView view) {
        Document document = HtmlTables.withRows(Document.of(context.summary(), view));
        if (!document.tables().isEmpty()) {
            sections.add(new ReportSection(id, HtmlTables.heading(id), "tables", document));
        }
    }
}

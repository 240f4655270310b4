package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.FigureContext;
import org.lagbench.report.figure.ReportChart;
import org.lagbench.report.figure.ReportCharts;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;

/** The sections of the page in their order; those that the session has no data for are absent. */
final class ReportSections {
    private ReportSections() {}

    static List<ReportSection> of(Session session, Summary summary) throws LagbenchException {
        List<ReportSection> sections = new ArrayList<>();
        List<List<RunPage>> runs = RunPage.byPoint(session, summary);
        if (!summary.points().isEmpty()) {
            sections.add(new ReportSection("lag-table", "Lag", "tables", Document.of(summary, TableView.LAG)));
            sections.add(ReportSection.of("choice", "Runs in the charts", runs));
        }
        for (ReportChart chart : ReportCharts.of(new FigureContext(session, summary))) {
            boolean isZoomable = chart.isZoomable();
            sections.add(new ReportSection(chart.id(), chart.title(), isZoomable ? "chart" : "fixed-chart", chart));
        }
        for (View view : View.values()) {
            if (view != View.LAG) {
                tables(sections, view.text(), summary, new TableView(view, true, false));
            }
        }
        if (!summary.points().isEmpty()) {
            Document all = Document.of(summary, TableView.ALL_SERIES);
            Document shown = Document.of(summary, TableView.LAG);
            sections.add(new ReportSection("series", "All series", "tables", HtmlTables.without(all, shown)));
        }
        EnvironmentModel environment = EnvironmentModel.of(session);
        if (!environment.isEmpty()) {
            sections.add(ReportSection.of("environment", "Environment", environment));
        }
        if (!runs.isEmpty()) {
            sections.add(ReportSection.of("runs", "Runs", runs));
        }
        if (!summary.excluded().isEmpty()) {
            sections.add(ReportSection.of("excluded", "Excluded runs", summary.excluded()));
        }
        return sections;
    }

    private static void tables(List<ReportSection> sections, String id, Summary summary, TableView view) {
        Document document = HtmlTables.withRows(Document.of(summary, view));
        if (!document.tables().isEmpty()) {
            sections.add(new ReportSection(id, HtmlTables.heading(id), "tables", document));
        }
    }
}

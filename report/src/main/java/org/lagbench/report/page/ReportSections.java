package org.lagbench.report.page;

import gg.jte.TemplateEngine;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.FigureContext;
import org.lagbench.report.figure.ReportChart;
import org.lagbench.report.figure.ReportCharts;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;

/** Makes the sections of the page, in order. Sections without data are absent. */
final class ReportSections {
    private final TemplateEngine engine;
    private final List<Section> sections = new ArrayList<>();

    ReportSections(TemplateEngine engine) {
        this.engine = engine;
    }

    List<Section> of(Session session, Summary summary) throws LagbenchException {
        List<List<RunPage>> runs = RunPage.byPoint(session, summary);
        Document lag = Document.of(summary, TableView.LAG);
        if (!summary.points().isEmpty()) {
            add("lag-table", "Lag", "tables", lag);
            add("choice", "Runs in the charts", "choice", runs);
        }
        for (ReportChart chart : ReportCharts.of(new FigureContext(session, summary))) {
            add(chart.id(), chart.title(), chart.isZoomable() ? "chart" : "fixed-chart", chart);
        }
        for (View view : View.values()) {
            Document document = Document.of(summary, new TableView(view, true, false));
            List<Table> tables = document.without(Document.EMPTY).tables();
            if (view != View.LAG && !tables.isEmpty()) {
                String title = view.name().charAt(0) + view.text().substring(1);
                add(view.text(), title, "tables", new Document(tables, document.marks(), document.notes()));
            }
        }
        if (!summary.points().isEmpty()) {
            Document all = Document.of(summary, TableView.ALL_SERIES);
            add("series", "All series", "tables", all.without(lag));
        }
        EnvironmentModel environment = EnvironmentModel.of(session);
        if (!environment.executions().isEmpty() || environment.experiment() != null) {
            add("environment", "Environment", "environment", environment);
        }
        if (!runs.isEmpty()) {
            add("runs", "Runs", "runs", runs);
        }
        if (!summary.excluded().isEmpty()) {
            add("excluded", "Excluded runs", "excluded", summary.excluded());
        }
        return sections;
    }

    private void add(String id, String title, String template, Object model) {
        sections.add(new Section(id, title, output -> engine.render("sections/" + template + ".jte", model, output)));
    }
}

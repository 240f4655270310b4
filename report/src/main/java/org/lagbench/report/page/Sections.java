package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.FigureContext;
import org.lagbench.report.figure.ReportChart;
import org.lagbench.report.figure.ReportCharts;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Documents;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;

/** The sections of the page in their order; those that the session has no data for are absent. */
final class Sections {
    private Sections() {}

    static List<Section> of(Material material) throws LagbenchException {
        List<Section> sections = new ArrayList<>();
        if (!material.summary().points().isEmpty()) {
            sections.add(new Section("lag-table", "Lag", "tables", Documents.of(material.summary(), TableView.LAG)));
            sections.add(Section.of("choice", "Runs in the charts", ChoiceModel.of(material)));
        }
        for (ReportChart chart : ReportCharts.of(new FigureContext(material.session(), material.summary()))) {
            boolean isZoomable = chart.isZoomable();
            sections.add(new Section(chart.id(), chart.title(), isZoomable ? "chart" : "fixed-chart", chart));
        }
        for (View view : View.values()) {
            if (view != View.LAG) {
                tables(sections, view.text(), material, new TableView(view, true, false));
            }
        }
        if (!material.summary().points().isEmpty()) {
            Document all = Documents.of(material.summary(), TableView.ALL_SERIES);
            Document shown = Documents.of(material.summary(), TableView.LAG);
            sections.add(new Section("series", "All series", "tables", Tables.without(all, shown)));
        }
        EnvironmentModel environment = EnvironmentModel.of(material.session());
        if (!environment.isEmpty()) {
            sections.add(Section.of("environment", "Environment", environment));
        }
        if (!material.runs().isEmpty()) {
            sections.add(Section.of("runs", "Runs", RunsModel.of(material)));
        }
        if (!material.summary().excluded().isEmpty()) {
            sections.add(Section.of(
                    "excluded",
                    "Excluded runs",
                    new ExcludedModel(material.summary().excluded())));
        }
        return sections;
    }

    private static void tables(List<Section> sections, String id, Material material, TableView view) {
        Document document = Tables.withRows(Documents.of(material.summary(), view));
        if (!document.tables().isEmpty()) {
            sections.add(new Section(id, Tables.heading(id), "tables", document));
        }
    }
}

package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.FigureContext;
import org.lagbench.report.chart.ReportCharts;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;

/** Creates the sections of the page, in order. Sections without data are absent. */
final class ReportSections {
    private final List<Section> sections = new ArrayList<>();
    private final Set<String> notes = new HashSet<>();

    List<Section> of(Session session, Summary summary) throws LagbenchException {
        FigureContext context = new FigureContext(session, summary);
        List<List<RunPage>> runs = RunPage.byPoint(session, summary, context);
        Document lag = Document.of(summary, TableView.PAPER);
        notes.addAll(Document.notesOnExcluded(summary)); // shown in the section of notes
        ReportCharts.overviews(context).forEach(chart -> sections.add(Section.of(chart)));
        if (!summary.points().isEmpty()) {
            addTables("lag-table", "Lag", lag.tables(), lag.notes());
            add("choice", "Runs in the charts", "choice", runs);
        }
        ReportCharts.of(context).forEach(chart -> sections.add(Section.of(chart)));
        for (View view : View.allOfPoints()) {
            Document document = Document.of(summary, new TableView(view, true, false, null));
            List<Table> tables = document.without(Document.EMPTY).tables();
            if (view != View.LAG && view != View.PAPER && !tables.isEmpty()) {
                String title = view.name().charAt(0) + view.text().substring(1);
                addTables(view.text(), title, tables, document.notes());
            }
        }
        if (!summary.points().isEmpty()) {
            Document all = Document.of(summary, TableView.ALL_SERIES);
            addTables("series", "All series", all.without(lag).tables(), List.of());
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

    /** Adds tables with the notes that no earlier section has; the warnings are at the top of the page. */
    private void addTables(String id, String title, List<Table> tables, List<String> allNotes) {
        List<String> added = allNotes.stream().filter(notes::add).toList();
        add(id, title, "tables", new Document(tables, added));
    }

    private void add(String id, String title, String template, Object model) {
        sections.add(Section.of(id, title, template, model));
    }
}

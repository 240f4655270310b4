package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.FigureContext;
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
        charts(sections, material);
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

    private static void charts(List<Section> sections, Material material) throws LagbenchException {
        ReportCharts charts = ReportCharts.of(new FigureContext(material.session(), material.summary()));
        chart(
                sections,
                "Lag over time",
                new ChartModel(
                        "over-time",
                        "Lag over time",
                        """
                        Transmit lag of each packet over the time at which it was sent, all runs on one scale, and below it \
                        what may delay packets, each side by its own clock (of more than 400 events of a run the longest). \
                        Where packets are closer than the screen can show, the least and the \
                        greatest of them are drawn: no extreme is left out.""",
                        null,
                        charts.lagOverTime(),
                        null));
        chart(
                sections,
                "How lags are distributed",
                new ChartModel(
                        "distribution",
                        "Distribution of lags",
                        """
                        The fraction of packets whose lag is that or more (complementary, both axes logarithmic), or that \
                        or less. Every point of a line is a lag that was measured; the last is the greatest.""",
                        "fraction of packets ≥ lag",
                        charts.distribution(),
                        charts.quantiles()));
        chart(
                sections,
                "Inter-packet delay",
                new ChartModel(
                        "delays",
                        "Inter-packet delay over packet number",
                        """
                        The time between consecutive stamps of one side, all runs on one scale. It needs no common clock.""",
                        null,
                        charts.delays(),
                        null));
        chart(
                sections,
                "How full the buffers were",
                new ChartModel(
                        "occupancy",
                        "Occupancy of the sockets' buffers over time",
                        """
                        Bytes in a buffer of the kernel, sampled through the run, all runs on one scale; each by the clock \
                        of its own side.""",
                        null,
                        charts.occupancy(),
                        null));
        if (!charts.stages().isEmpty()) {
            sections.add(Section.of("stage-stack", "Where the time went", new StagesModel(charts.stages())));
        }
    }

    private static void chart(List<Section> sections, String title, ChartModel chart) {
        if (!chart.drawings().isEmpty()) {
            sections.add(new Section(chart.id(), title, "chart", chart));
        }
    }

    private static void tables(List<Section> sections, String id, Material material, TableView view) {
        Document document = Tables.withRows(Documents.of(material.summary(), view));
        if (!document.tables().isEmpty()) {
            sections.add(new Section(id, Tables.heading(id), "tables", document));
        }
    }
}

package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.PointOrder;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.ChartContext;
import org.lagbench.report.chart.Notes;
import org.lagbench.report.chart.ReportCharts;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableNotes;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;
import org.lagbench.report.table.Views;

/**
 * The report of a session: one self-contained HTML file. Equal sessions give equal bytes.
 *
 * <p>Its size is bounded for any number of packets (see {@link org.lagbench.report.chart.ReportCharts}). Writing it
 * needs a few times its size in memory, besides that of {@link org.lagbench.analysis.summary.Summaries}.
 */
public final class ReportFile {
    /** The file's name in a session directory. */
    public static final String NAME = "report.html";

    /**
     * The sections that are folded until a reader opens them: details, and sections so long that they hide the others.
     */
    private static final Set<String> FOLDED =
            Set.of("delays", "buffers", "media", "playout", "ledger", "series", "environment");

    private final List<Section> sections = new ArrayList<>();
    private final Set<String> notes = new HashSet<>();

    private ReportFile() {}

    /**
     * Writes the report. A reader finds the old file or the new one, never a part of it.
     *
     * @param session the session of the summary
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or the file cannot be written
     */
    public static void write(Path file, Session session, Summary summary) throws LagbenchException {
        new Page(
                        summary.session(),
                        measured(summary),
                        warnings(summary),
                        new ReportFile()
                                .of(session, summary.ordered(PointOrder.SMALLEST_FIRST)).stream()
                                        .map(section -> FOLDED.contains(section.id()) ? section.folded() : section)
                                        .toList(),
                        TableFormat.tree(summary).toString())
                .write(file);
    }

    /** Returns the networks, the packet sizes, how much was measured, and how uncertain it is. */
    private static String measured(Summary summary) {
        List<PointSummary> points = summary.points();
        if (points.isEmpty()) {
            return "No run completed: the list of excluded runs has the reasons.";
        }
        PointNames names = new PointNames(summary);
        int[] sizes = points.stream()
                .mapToInt(point -> point.point().packetBytes())
                .distinct()
                .sorted()
                .toArray();
        long sent = points.stream()
                .mapToLong(point -> point.pooled().packets().sent())
                .sum();
        long lost =
                points.stream().mapToLong(point -> point.pooled().loss().lost()).sum();
        int runs = points.stream().mapToInt(point -> point.runs().size()).sum();
        return points.stream()
                        .map(point -> names.network(point.point()))
                        .distinct()
                        .collect(Collectors.joining(", "))
                + "; "
                + (sizes.length == 1 ? "" : Numbers.grouped(sizes[0]) + (sizes.length == 2 ? " and " : " to "))
                + PointNames.bytes(sizes[sizes.length - 1]) + "; "
                + Numbers.grouped(runs) + (runs == 1 ? " run, " : " runs, ")
                + Numbers.grouped(sent) + (runs == 1 ? " packets, " : " packets in all, ")
                + (lost == 0 ? "none" : Numbers.grouped(lost)) + " lost. "
                + Notes.clocksWithoutMarks(points);
    }

    /** Returns the warnings shown above all figures, then the marks of the tables. */
    private static List<String> warnings(Summary summary) {
        Document lag = Document.of(summary, TableView.LAG);
        return Stream.concat(lag.warnings().stream(), lag.marks().stream())
                .map(warning -> warning.replaceFirst("^! ", ""))
                .distinct()
                .toList();
    }

    /** Returns the sections of the page, in order. Sections without data are absent. */
    private List<Section> of(Session session, Summary summary) throws LagbenchException {
        ChartContext context = new ChartContext(session, summary);
        List<List<RunPage>> runs = RunPage.byPoint(context);
        View first = Views.load().defaultOf(summary);
        Document lag = Document.of(summary, TableView.of(first));
        notes.addAll(TableNotes.ofExcluded(summary)); // shown in the section of notes
        List<Section> overviews =
                ReportCharts.overviews(context).stream().map(Section::of).toList();
        overviews.stream().limit(1).forEach(sections::add);
        if (!summary.points().isEmpty()) {
            addTables("lag-table", "Results", lag.tables(), lag.notes());
            overviews.stream().skip(1).forEach(sections::add);
            add("choice", "Runs in the charts", "choice", runs);
        }
        ReportCharts.of(context).forEach(chart -> sections.add(Section.of(chart)));
        for (View view : Views.load().all()) {
            if (view == first || !view.isInReports()) {
                continue;
            }
            Document document = Document.of(summary, new TableView(view, true, false, null));
            if (!document.tables().isEmpty()) {
                String title = Character.toUpperCase(view.name().charAt(0))
                        + view.name().substring(1);
                addTables(view.name(), title, document.tables(), document.notes());
            }
        }
        if (!summary.points().isEmpty()) {
            Document series = Document.of(summary, TableView.ALL_SERIES);
            addTables("series", "All series", series.tables(), series.notes());
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

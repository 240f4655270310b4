package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Notes;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;

/**
 * The report of a session: one self-contained HTML file. Equal sessions give equal bytes.
 *
 * <p>Its size is bounded for any number of packets (see {@link org.lagbench.report.chart.ReportCharts}). Writing it
 * needs a few times its size in memory, besides that of {@link org.lagbench.analysis.summary.Summaries}.
 */
public final class ReportFile {
    /** The file's name in a session directory. */
    public static final String NAME = "report.html";

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
                        new ReportSections().of(session, summary),
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
        RunPacketCounts packets = points.stream()
                .map(point -> point.pooled().packets())
                .reduce(RunPacketCounts.NONE, RunPacketCounts::plus);
        int runs = points.stream().mapToInt(point -> point.runs().size()).sum();
        return points.stream()
                        .map(point -> names.network(point.point()))
                        .distinct()
                        .collect(Collectors.joining(", "))
                + "; "
                + (sizes.length == 1 ? "" : Numbers.grouped(sizes[0]) + (sizes.length == 2 ? " and " : " to "))
                + PointNames.bytes(sizes[sizes.length - 1]) + "; "
                + Numbers.grouped(runs) + (runs == 1 ? " run of " : " runs of ")
                + Numbers.grouped(packets.sent()) + " packets, "
                + (packets.lost() == 0 ? "none" : Numbers.grouped(packets.lost())) + " lost. "
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
}

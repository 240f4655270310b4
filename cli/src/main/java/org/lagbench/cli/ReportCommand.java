package org.lagbench.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.report.page.MonitorReportFile;
import org.lagbench.report.page.ReportFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench report}: makes the HTML report of a session from its captures. */
@Listed(in = HelpSection.RESULTS, order = 30)
@Command(
        name = "report",
        description = {
            "Write report.html for a session, its runs directory, or one run, from the captures; for a monitor's"
                    + " session, from its series.",
            "",
            "The report is a single file that needs no network: first a chart of all points, then"
                    + " interactive charts and tables."
        },
        footer = {
            "  lagbench report results/quickstart-20260101T120000Z",
            "  lagbench report results/quickstart-20260101T120000Z --output lag.html"
        })
public final class ReportCommand extends SessionCommand {
    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "File of the report (default: " + ReportFile.NAME + " in DIR).")
    private @Nullable Path output;

    @Mixin
    private final SummaryArguments options = new SummaryArguments();

    @Override
    public Integer call() throws LagbenchException {
        Path file = output(output, ReportFile.NAME);
        if (SeriesIndex.isIn(directory())) {
            shutdown().onInterrupt(AtomicFile::deleteAllAtEnd);
            shutdown().endAtOnce();
            MonitorReportFile.write(file, directory(), SeriesSummary.ofAll(directory()));
            out().println("Report: " + file);
            return ExitCode.OK.code();
        }
        Session session = openSession();
        Summary summary = Summaries.of(session, new SummaryOptions(options.includesBroken(), options.correctsClocks()));
        ReportFile.write(file, session, summary);
        out().println("Report: " + file);
        return exitCode(summary).code();
    }
}

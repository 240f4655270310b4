package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.page.ReportFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench report}: the page that a session is read in, made from its captures. */
@Command(
        name = "report",
        sortOptions = false,
        description = {
            "Make report.html of a session, of its runs directory, or of one run, from the captures.",
            "",
            "It is one file that any browser shows, without a network: answers first, then tables and charts to look"
                    + " into."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench report results/quickstart-20260101T120000Z",
            "  lagbench report results/quickstart-20260101T120000Z --output lag.html"
        })
final class ReportCommand implements Callable<Integer> {
    @Mixin
    private final SessionArgument session = new SessionArgument();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the report is written (default: " + ReportFile.NAME + " in DIR).")
    private @Nullable Path output;

    @Mixin
    private final SummaryChoice choice = new SummaryChoice();

    @Override
    public Integer call() throws LagbenchException {
        Session opened = session.open();
        Summary summary = Summaries.of(opened, new SummaryOptions(choice.includesBroken(), choice.correctsClocks()));
        Path file = output == null ? session.directory().resolve(ReportFile.NAME) : output;
        ReportFile.write(file, opened, summary);
        PrintWriter out = session.out();
        out.println("Report: " + file);
        out.flush();
        return ExitCode.OK.code();
    }
}

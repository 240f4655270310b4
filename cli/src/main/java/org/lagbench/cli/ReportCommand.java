package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.report.ReportFile;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench report}: the page that a session is read in, made from its captures. */
@Command(
        name = "report",
        sortOptions = false,
        description = {
            "Make report.html of a session, of its runs directory, or of one run, from the captures.",
            "",
            "It is one file that any browser shows, without a network: answers first, then tables and charts to look into."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench report results/quickstart-20260101T120000Z",
            "  lagbench report results/quickstart-20260101T120000Z --output lag.html"
        })
final class ReportCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final SessionArgument session = new SessionArgument();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where the report is written (default: " + ReportFile.NAME + " in DIR).")
    private @Nullable Path output;

    @Option(
            names = "--include-broken",
            description = "Runs that broke off as well, as far as their captures go; they are named in it.")
    private boolean includeBroken;

    @Option(
            names = "--clock",
            paramLabel = "CLOCK",
            defaultValue = "raw",
            converter = ClockView.Names.class,
            completionCandidates = ClockView.Names.class,
            description =
                    "${COMPLETION-CANDIDATES}; corrected: beside each lag as stamped the same less offset and skew"
                            + " of the clocks (default: ${DEFAULT-VALUE}).")
    private ClockView clock = ClockView.RAW;

    @Override
    public Integer call() throws LagbenchException {
        lagbench.interruption().endAtOnce();
        Session opened = session.open();
        Summary summary = Summaries.of(opened, new SummaryOptions(includeBroken, clock == ClockView.CORRECTED));
        Path file = output == null ? session.directory().resolve(ReportFile.NAME) : output;
        ReportFile.write(file, opened, summary);
        PrintWriter out = spec.commandLine().getOut();
        out.println("Report: " + file);
        out.flush();
        return ExitCode.OK.code();
    }
}

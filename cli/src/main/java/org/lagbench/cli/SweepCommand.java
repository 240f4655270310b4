package org.lagbench.cli;

import java.io.IOException;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.cli.sweep.Execution;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.ExperimentReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transports;
import org.lagbench.report.page.ReportFile;
import org.lagbench.report.table.SummaryFiles;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench sweep}: makes all runs of an experiment. */
@Command(
        name = "sweep",
        sortOptions = false,
        description = {
            "Make all runs of an experiment, each with a new sender and receiver process, and print the lag table.",
            "",
            "A session directory keeps the experiment with all defaults, the environment, the stamps of both sides, and"
                    + " the summary. An interrupted sweep keeps its finished runs; --resume makes the others."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench sweep configs/quickstart.yaml",
            "  lagbench sweep configs/quickstart.yaml --set repeats=5 --set 'transports=[tcp, udp]'",
            "  lagbench sweep configs/quickstart.yaml --set receiver=192.0.2.7:5394 --set key-file=lagbench.key",
            "  lagbench sweep --resume results/quickstart-20260101T120000Z"
        })
final class SweepCommand extends Subcommand {
    @Mixin
    private final ExperimentArguments arguments = new ExperimentArguments();

    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Option(names = "--json", description = "Print the summary as JSON instead of the table.")
    private boolean json;

    @Option(names = "--no-report", description = "Do not make " + ReportFile.NAME + "; lagbench report makes it later.")
    private boolean noReport;

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        try (Execution execution =
                arguments.begin(new ExperimentReader(Transports.load(), Engines.load())::read, shutdown())) {
            ExitCode exitCode = SweepExecution.execute(execution, quiet, err());
            if (exitCode != ExitCode.INTERRUPTED && execution.session().hasCompleteRun()) {
                report(execution.session());
            }
            return exitCode.code();
        }
    }

    /** Writes the files of the summary and the report, and prints the summary according to the options. */
    private void report(SessionDirectory directory) throws LagbenchException, IOException {
        Session session = Session.open(directory.directory());
        Summary summary = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryFiles.write(session.path(), summary);
        if (json) {
            TableFormat.JSON.write(summary, out());
        } else if (!quiet) {
            TableFormat.TEXT.write(summary, out());
            if (!summary.streams().isEmpty()) {
                TableFormat.TEXT.write(summary, new TableView(View.STREAMS, false, false), out());
            }
            out().println("Session: " + session.path());
        }
        out().flush();
        if (noReport) {
            return;
        }
        try {
            ReportFile.write(session.path().resolve(ReportFile.NAME), session, summary);
        } catch (LagbenchException | RuntimeException e) {
            // The runs are complete all the same, so the sweep succeeds.
            err().println(ReportFile.NAME + " cannot be made: " + e.getMessage() + " To try again: lagbench report "
                    + session.path());
        }
    }
}

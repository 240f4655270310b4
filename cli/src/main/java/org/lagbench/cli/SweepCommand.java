package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.cli.sweep.ProgressKind;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.Experiment;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench sweep}: makes all runs of an experiment and prints the lag table. */
@Command(
        name = "sweep",
        sortOptions = false,
        description = {
            "Make all runs of an experiment, each with a sender and a receiver of its own, and print the lag table.",
            "",
            "Everything is kept in a session directory: the experiment with all defaults, the environment, both sides' "
                    + "stamps of each packet, the summary. A sweep that was interrupted keeps its finished runs; "
                    + "--resume makes the others."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench sweep configs/quickstart.yaml",
            "  lagbench sweep configs/quickstart.yaml --set repeats=5 --set 'transports=[tcp, udp]'",
            "  lagbench sweep configs/quickstart.yaml --set receiver=192.0.2.7:5394 --set key-file=lagbench.key",
            "  lagbench sweep --resume results/quickstart-20260101T120000Z"
        })
final class SweepCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final ExperimentChoice choice = new ExperimentChoice();

    @Mixin
    private final ClockOptions clocks = new ClockOptions();

    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Option(names = "--json", description = "Print the summary as JSON in place of the table.")
    private boolean json;

    @Option(names = "--no-report", description = "Leave out " + ReportFile.NAME + "; lagbench report makes it later.")
    private boolean noReport;

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        ExperimentChoice.Begun begun = choice.begin(new ExperimentReader(Transports.load(), Engines.load())::read);
        Experiment experiment = begun.experiment();
        try (SessionDirectory session = begun.directory()) {
            ExitCode exitCode = new SweepExecution(
                            experiment, session, clocks.wishes(experiment), Version.number(), lagbench.interruption())
                    .execute(ProgressKind.suitable(quiet), spec.commandLine().getErr());
            if (exitCode != ExitCode.INTERRUPTED && session.hasCompleteRun()) {
                report(session);
            }
            return exitCode.code();
        }
    }

    /** Writes the summary's files and the report, and prints the summary unless that is unwanted. */
    private void report(SessionDirectory directory) throws LagbenchException, IOException {
        Session session = Session.open(directory.directory());
        Summary summary = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryFiles.write(session.path(), summary);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            TableFormat.JSON.write(summary, out);
        } else if (!quiet) {
            TableFormat.TEXT.write(summary, out);
            if (!summary.streams().isEmpty()) {
                TableFormat.TEXT.write(summary, new TableView(View.STREAMS, false, false), out);
            }
            out.println("Session: " + session.path());
        }
        out.flush();
        if (!noReport) {
            writeReport(session, summary);
        }
    }

    /** The runs are worth more than the page they are read in: that it cannot be made is told, and no more. */
    private void writeReport(Session session, Summary summary) {
        try {
            ReportFile.write(session.path().resolve(ReportFile.NAME), session, summary);
        } catch (LagbenchException | RuntimeException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("There is no " + ReportFile.NAME + " of this sweep: " + e.getMessage()
                    + " To try again: lagbench report " + session.path());
            err.flush();
        }
    }
}

package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.report.ReportFile;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.analysis.table.SummaryFiles;
import org.lagbench.analysis.table.TableFormat;
import org.lagbench.analysis.table.TableView;
import org.lagbench.analysis.table.View;
import org.lagbench.cli.sweep.ProgressKind;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.ExperimentReader;
import org.lagbench.core.experiment.RunOrder;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transports;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
    /** Where sessions are kept unless told otherwise. */
    static final String DEFAULT_OUTPUT = "results";

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The experiment; see configs/reference.yaml.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Replaces what the file says: packets=1000, udp.receive-buffer=4MiB, packet-bytes=[24,992]."
                    + " May be given more than once.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Where the session directory is made (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(DEFAULT_OUTPUT);

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Make the runs that are missing in this session directory, in place of a new session.")
    private @Nullable Path resume;

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
        ExperimentReader reader = new ExperimentReader(Transports.load());
        if (resume == null) {
            if (file == null) {
                throw new LagbenchException(
                        ExitCode.USAGE, "Name an experiment file, such as configs/quickstart.yaml, or --resume DIR.");
            }
            Experiment experiment = withSeed(reader.read(file, overrides));
            SweepExecution.requireMeans(experiment);
            return sweep(experiment, SessionDirectory.create(output, experiment, Instant.now()));
        }
        if (file != null || !overrides.isEmpty()) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "--resume goes on with the session's own experiment: leave out the file and --set.");
        }
        SessionDirectory session = SessionDirectory.open(resume);
        Experiment experiment = reader.read(session.experimentFile());
        SweepExecution.requireMeans(experiment);
        return sweep(experiment, session);
    }

    private int sweep(Experiment experiment, SessionDirectory begun)
            throws LagbenchException, InterruptedException, IOException {
        try (SessionDirectory session = begun) {
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

    private static Experiment withSeed(Experiment experiment) {
        return experiment.seed() == null ? experiment.withSeed(RunOrder.drawSeed()) : experiment;
    }
}

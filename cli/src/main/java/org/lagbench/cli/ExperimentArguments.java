package org.lagbench.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.sweep.Execution;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.RunOrder;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.time.Intervals;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The arguments of the commands that make runs: the experiment or the session to resume, and the clock requirements.
 */
final class ExperimentArguments {
    /** Default directory of the sessions. */
    static final String DEFAULT_OUTPUT = "results";

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The experiment; see configs/reference.yaml.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override a key of the file: packets=1000, udp.receive-buffer=4MiB, packet-bytes=[24,992],"
                    + " tune.loss=1%%. May be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Parent of the new session directory (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(DEFAULT_OUTPUT);

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Make the missing runs of this session directory instead of a new session.")
    private @Nullable Path resume;

    @Option(
            names = "--wait-for-clock",
            paramLabel = "TIME",
            description = "How long each run waits until the clock bound is within clock.max-error"
                    + " (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Make the runs even if the clock bound is too large; every table is marked.")
    private boolean acceptUnsynchronized;

    /**
     * Creates a session, or opens the session to resume. Its experiment has a seed, and this machine has the engines
     * and transports that the experiment needs.
     */
    Execution begin(Reader reader, ShutdownCoordinator shutdown) throws LagbenchException {
        if (resume != null && (file != null || !overrides.isEmpty())) {
            throw new LagbenchException(
                    ExitCode.USAGE, "--resume uses the session's own experiment: omit the file and --set.");
        }
        Duration clockTimeout = Intervals.ofOption("--wait-for-clock", waitForClock);
        SessionDirectory session = resume == null ? null : SessionDirectory.open(resume);
        Path source = session == null ? file : session.experimentFile();
        if (source == null) {
            throw new LagbenchException(
                    ExitCode.USAGE, "Name an experiment file, such as configs/quickstart.yaml, or --resume DIR.");
        }
        Experiment experiment = reader.read(source, overrides);
        SweepExecution.checkMachine(experiment);
        if (session == null) {
            experiment = experiment.seed() == null ? experiment.withSeed(RunOrder.drawSeed()) : experiment;
            session = SessionDirectory.create(output, experiment, Instant.now());
        }
        return new Execution(experiment, session, clockTimeout, acceptUnsynchronized, shutdown);
    }

    /** Reads an experiment from a file and applies overrides of the form {@code key=value}. */
    interface Reader {
        Experiment read(Path file, List<String> overrides) throws LagbenchException;
    }
}

package org.lagbench.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.RunOrder;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that make runs are told to begin, or to go on with. */
final class ExperimentChoice {
    /** Where sessions are kept unless told otherwise. */
    static final String DEFAULT_OUTPUT = "results";

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The experiment; see configs/reference.yaml.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Replaces what the file says: packets=1000, udp.receive-buffer=4MiB, packet-bytes=[24,992],"
                    + " tune.loss=1%%. May be given more than once.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Where the session directory is made (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(DEFAULT_OUTPUT);

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Go on with what is missing in this session directory, in place of a new session.")
    private @Nullable Path resume;

    /**
     * Begins a session, or opens the one to go on with. Its experiment has a seed, and this machine the means for it.
     *
     * @param reading reads it
     */
    Begun begin(Reading reading) throws LagbenchException {
        if (resume != null) {
            if (file != null || !overrides.isEmpty()) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "--resume goes on with the session's own experiment: leave out the file and --set.");
            }
            SessionDirectory session = SessionDirectory.open(resume);
            Experiment experiment = reading.read(session.experimentFile(), List.of());
            SweepExecution.requireMeans(experiment);
            return new Begun(experiment, session);
        }
        if (file == null) {
            throw new LagbenchException(
                    ExitCode.USAGE, "Name an experiment file, such as configs/quickstart.yaml, or --resume DIR.");
        }
        Experiment experiment = reading.read(file, overrides);
        SweepExecution.requireMeans(experiment);
        if (experiment.seed() == null) {
            overrides.add("seed=" + RunOrder.drawSeed());
            experiment = reading.read(file, overrides);
        }
        return new Begun(experiment, SessionDirectory.create(output, experiment, Instant.now()));
    }

    /**
     * A session with its experiment.
     *
     * @param directory to be closed
     */
    record Begun(Experiment experiment, SessionDirectory directory) {}

    /** Reads an experiment. */
    interface Reading {
        /**
         * Reads it.
         *
         * @param overrides what replaces what the file says, {@code key=value} each
         */
        Experiment read(Path file, List<String> overrides) throws LagbenchException;
    }
}

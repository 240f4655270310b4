package org.lagbench.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.RunOrder;
import org.lagbench.experiment.Experiment;
import org.lagbench.runner.capacity.ProbePlan;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.MachineCheck;
import org.lagbench.runner.sweep.SessionDirectory;
import picocli.CommandLine.Option;

/** The options of the commands that execute runs: the place of the session, and the clock requirements. */
final class SessionArguments {
    /** Default directory of the sessions. */
    static final String DEFAULT_OUTPUT = "results";

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Parent of the new session directory (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(DEFAULT_OUTPUT);

    @Option(
            names = {"--wait-for-clock", "--wait-for-idle"},
            paramLabel = "TIME",
            description = "How long each run waits until the clock bound is within clock.max-error, and the load by"
                    + " other programs within machine.max-other-load (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Start runs even if the clock bound is too large; every table is marked.")
    private boolean acceptUnsynchronized;

    /**
     * Prepares the execution of a session. Its experiment has a seed, and this machine has the engines and transports
     * that the experiment needs.
     *
     * @param resumed the session to continue; null to create one
     * @param experiment a seed is drawn if it has none
     * @param key shared with the receiver on another host; null for none
     * @param skipUnavailable see {@link Execution}
     */
    Execution begin(
            @Nullable SessionDirectory resumed,
            Experiment experiment,
            @Nullable SharedKey key,
            boolean skipUnavailable,
            ShutdownCoordinator shutdown)
            throws LagbenchException {
        Duration clockTimeout = Durations.ofOption("--wait-for-clock", waitForClock);
        if (resumed != null && experiment.grid().seed() == null) {
            throw ExitCode.USAGE.failure(resumed.directory()
                    + " is not the session of a sweep, tune or capacity: its experiment has no seed.");
        }
        MachineCheck.check(experiment, skipUnavailable);
        Experiment seeded = experiment.grid().seed() == null ? experiment.withSeed(RunOrder.drawSeed()) : experiment;
        SessionDirectory session = resumed == null ? SessionDirectory.create(output, seeded, Instant.now()) : resumed;
        return new Execution(seeded, session, clockTimeout, acceptUnsynchronized, skipUnavailable, null, key, shutdown);
    }

    /**
     * Creates a session with runs over the path to a host.
     *
     * @param file the experiment file that describes the path; null for none
     * @param host the other host and port as on the command line; null for the experiment's
     * @param values keys and values of the experiment
     * @param overrides keys and values that the user set
     */
    Execution createPath(
            @Nullable Path file,
            @Nullable String host,
            List<String> values,
            List<String> overrides,
            ShutdownCoordinator shutdown)
            throws LagbenchException {
        List<String> all = new ArrayList<>(values);
        if (host != null) {
            all.add("receiver=" + ReceiverAccess.endpoint("HOST[:PORT]", host));
        }
        all.addAll(overrides);
        Experiment experiment = ProbePlan.read(file, all);
        return begin(null, experiment, ReceiverAccess.keyFor(experiment, shutdown), false, shutdown);
    }
}

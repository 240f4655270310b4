package org.lagbench.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of the commands that measure a path: the other host, the budget, and the session. */
final class PathArguments {
    private static final long BYTES_PER_MB = 1_000_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description =
                    "Where lagbench serve listens, by default at port 5394 (default: both sides on this machine).")
    private @Nullable String host;

    @Option(
            names = "--budget",
            paramLabel = "MB",
            description = "How many megabytes to send at most (default: ${DEFAULT-VALUE}).")
    private int budgetMb;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Set a key of the experiment: lab=dumbbell, engine=java, tcp.send-buffer=4MiB. May be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    /** @param budgetMb the default budget in megabytes */
    PathArguments(int budgetMb) {
        this.budgetMb = budgetMb;
    }

    /** Returns how many bytes to send at most. */
    long budgetBytes() throws LagbenchException {
        if (budgetMb < 1) {
            throw new LagbenchException(
                    ExitCode.USAGE, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
        }
        return budgetMb * BYTES_PER_MB;
    }

    /**
     * Creates a session with runs over the path.
     *
     * @param values keys and values of the experiment
     * @param err receives error messages
     */
    PathSession open(List<String> values, PrintWriter err, ShutdownCoordinator shutdown) throws LagbenchException {
        return PathSession.create(host, values, overrides, session, err, shutdown);
    }
}

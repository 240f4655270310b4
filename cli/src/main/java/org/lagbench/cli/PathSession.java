package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.runner.capacity.PathRuns;
import org.lagbench.runner.sweep.Execution;

/** A session with runs over the path to a host. {@link #close} ends all its processes. */
final class PathSession implements AutoCloseable {
    private final Execution execution;
    private final PathRuns runs;

    private PathSession(Execution execution, PathRuns runs) {
        this.execution = execution;
        this.runs = runs;
    }

    /**
     * Creates the session.
     *
     * @param file the experiment file that describes the path; null for none
     * @param host the other host and port as on the command line; null for the experiment's
     * @param values keys and values of the experiment
     * @param overrides keys and values that the user set
     * @param err receives error messages
     */
    static PathSession create(
            @Nullable Path file,
            @Nullable String host,
            List<String> values,
            List<String> overrides,
            SessionArguments arguments,
            PrintWriter err,
            ShutdownCoordinator shutdown)
            throws LagbenchException {
        List<String> all = new ArrayList<>(values);
        if (host != null) {
            all.add("receiver=" + Endpoint.ofOption("HOST[:PORT]", host, ReceiverConnection.DEFAULT_RECEIVER.port()));
        }
        all.addAll(overrides);
        Experiment experiment = PathRuns.read(file, all);
        Endpoint receiver = experiment.receiver();
        Map<String, String> environment = receiver == null
                ? Map.of()
                : ReceiverAccess.request(receiver, experiment.keyFile()).environment();
        Execution execution = arguments.create(keys -> PathRuns.read(file, keys), all, environment, false, shutdown);
        try {
            return new PathSession(execution, new PathRuns(execution, file, all, err));
        } catch (LagbenchException e) {
            execution.close();
            throw e;
        }
    }

    PathRuns runs() {
        return runs;
    }

    Path directory() {
        return execution.session().directory();
    }

    @Override
    public void close() throws LagbenchException {
        try (execution) {
            runs.close();
        }
    }
}

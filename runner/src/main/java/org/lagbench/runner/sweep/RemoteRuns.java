package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.AgentCall;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;

/**
 * The runs of a session that this process requests from an agent on another host. Used by one thread.
 *
 * @param execution owns the session with the runs
 * @param agent address of the agent on the sender's host
 * @param key shared by the agent and the receivers; null for none
 */
public record RemoteRuns(Execution execution, Endpoint agent, @Nullable SharedKey key) {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /**
     * Makes and returns the run of an experiment with one point. An existing run is returned if it is complete and
     * undamaged.
     *
     * @param experiment an experiment that names the receiver
     * @param number the number of the run in the session
     * @throws LagbenchException if the run failed
     */
    public RunDirectory make(Experiment experiment, int number) throws LagbenchException {
        SessionDirectory session = execution.session();
        RunGroup group = experiment.run(
                number, 1, experiment.transports().get(0).combinations().get(0));
        RunSpec run = group.runs().get(0);
        if (!session.isComplete(run.name()) || session.damage(run.name()) != null) {
            session.setAside(run.name());
            session.createDirectory(run.name());
            new AgentCall(agent, key, LIMIT, execution.shutdown())
                    .make(
                            Objects.requireNonNull(experiment.receiver(), "the receiver"),
                            ProgramArguments.request(execution, run),
                            session.runs().resolve(run.name()));
            session.addChecksums(group);
        }
        return RunDirectory.read(session.runs().resolve(run.name()));
    }
}

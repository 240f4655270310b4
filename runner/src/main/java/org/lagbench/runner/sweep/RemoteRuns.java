package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.control.AgentCall;
import org.lagbench.control.PeerClock;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;

/**
 * The runs of a session that this process requests from an agent on another host. Used by one thread.
 *
 * @param execution owns the session with the runs
 * @param agent address of the agent on the sender's host
 * @param key shared by the agent and the receivers; null for none
 */
public record RemoteRuns(Execution execution, Endpoint agent, @Nullable SharedKey key) {
    /**
     * Executes the run of an experiment with one point. Returns an existing run instead if it is complete and intact.
     *
     * @param experiment an experiment that names the receiver
     * @param number the number of the run in the session
     * @throws LagbenchException if the run failed
     */
    public RunDirectory execute(Experiment experiment, int number) throws LagbenchException {
        SessionDirectory session = execution.session();
        RunSpec.RunGroup group = experiment.run().numbered(number, 1);
        RunSpec run = group.runs().get(0);
        Path directory = session.runs().resolve(run.name());
        RunDirectory made = RunDirectory.read(directory);
        if (flaw(made, run) != null) {
            session.setAside(run.name());
            session.createDirectory(run.name());
            PeerClock clock = new AgentCall(agent, key, execution.shutdown())
                    .execute(
                            Objects.requireNonNull(experiment.path().receiver(), "the receiver"),
                            ProgramArguments.request(execution, run),
                            directory);
            made = RunDirectory.read(directory);
            String flaw = flaw(made, run);
            if (flaw == null) {
                RunRecord.Clock clocks = Objects.requireNonNull(made.record()).clock();
                flaw = clock.impossible(
                        directory.resolve(SenderCapture.FILE_NAME),
                        Objects.requireNonNull(clocks).totalStepNs());
            }
            if (flaw != null) {
                session.setAside(run.name());
                throw ExitCode.BROKEN.failure("The agent at " + agent
                        + " sent files that are not those of a complete run as requested: " + flaw + ".");
            }
            session.addChecksums(group);
        }
        return made;
    }

    /**
     * Returns why a directory does not contain this run, complete and undamaged, as a part of a sentence; null if it
     * does.
     */
    private static @Nullable String flaw(RunDirectory directory, RunSpec run) throws LagbenchException {
        RunRecord record = directory.record();
        if (record != null && !record.run().equals(run)) {
            return RunRecord.FILE_NAME + " describes another run";
        }
        if (!directory.flaws().isEmpty()) {
            return String.join("; ", directory.flaws()).replaceFirst("\\.$", "");
        }
        if (record == null || record.counts() == null || record.clock() == null) {
            return RunRecord.FILE_NAME + " has no counts or no clocks";
        }
        try (JoinedRun captures = directory.open()) {
            return directory.mismatch(captures);
        }
    }
}

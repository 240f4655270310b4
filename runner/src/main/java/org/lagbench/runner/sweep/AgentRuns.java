package org.lagbench.runner.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.control.AgentCall;
import org.lagbench.control.PeerClock;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.runner.sweep.Child.ExitReport;

/**
 * The runs that this process requests from an agent on another host. Their files are among the session's runs only
 * after they were checked; others are set aside.
 *
 * @param agent address of the agent on the sender's host
 */
record AgentRuns(Execution execution, Endpoint agent) {
    /** Executes a run, whose directory does not exist. */
    ExitReport run(RunSpec run) throws LagbenchException {
        SessionDirectory session = execution.session();
        Path received = session.directory().resolve("incoming");
        FileTree.delete(received); // a process can have been killed
        IoErrors.explained(received + " cannot be created", () -> Files.createDirectory(received));
        try {
            PeerClock clock = new AgentCall(agent, execution.key(), execution.shutdown())
                    .execute(
                            Objects.requireNonNull(execution.experiment().path().receiver(), "the receiver"),
                            ProgramArguments.request(execution, run),
                            received);
            String flaw = flaw(RunDirectory.read(received), run, clock);
            if (flaw == null) {
                SessionDirectory.move(received, session.runs(), run.name());
                return ExitReport.ok();
            }
            session.setAside(received, run.name());
            return new ExitReport(
                    ExitCode.BROKEN,
                    "The agent at " + agent + " sent files that are not those of a complete run as requested: " + flaw
                            + ".");
        } finally {
            FileTree.delete(received);
            session.createDirectory(run.name()); // a failed run has a record too
        }
    }

    /**
     * Returns why a directory does not contain this run, complete and undamaged, as a part of a sentence; null if it
     * does.
     */
    private static @Nullable String flaw(RunDirectory directory, RunSpec run, PeerClock clock)
            throws LagbenchException {
        RunRecord record = directory.record();
        if (record != null && !record.run().equals(run)) {
            return RunRecord.FILE_NAME + " describes another run";
        }
        if (!directory.flaws().isEmpty()) {
            return String.join("; ", directory.flaws()).replaceFirst("\\.$", "");
        }
        RunRecord.Clock clocks = record == null ? null : record.clock();
        if (record == null || record.counts() == null || clocks == null) {
            return RunRecord.FILE_NAME + " has no counts or no clocks";
        }
        try (JoinedRun captures = directory.open()) {
            String mismatch = directory.mismatch(captures);
            return mismatch == null
                    ? clock.impossible(directory.path().resolve(SenderCapture.FILE_NAME), clocks.totalStepNs())
                    : mismatch;
        }
    }
}

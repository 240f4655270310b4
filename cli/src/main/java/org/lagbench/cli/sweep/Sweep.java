package org.lagbench.cli.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;

/** Makes the runs of a session, one after the other. Used once. */
final class Sweep {
    private final SessionDirectory session;
    private final RunProcesses processes;
    private final Progress progress;
    private final RemainingTime remainingTime;
    private final ShutdownCoordinator shutdown;
    private final Set<String> unavailableTransports = new HashSet<>();
    private final Set<Program> unfitPrograms = new HashSet<>();
    private ExitCode firstFailure = ExitCode.OK;
    private boolean isAborted;
    private int completed;

    Sweep(Execution execution, RunProcesses processes, Progress progress, RemainingTime remainingTime) {
        this.session = execution.session();
        this.processes = processes;
        this.progress = progress;
        this.remainingTime = remainingTime;
        this.shutdown = execution.shutdown();
    }

    /**
     * Makes the runs. After a failure the next run follows, unless it would fail for the same reason.
     *
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    ExitCode make(List<RunGroup> runs) throws LagbenchException, InterruptedException {
        for (int i = 0; i < runs.size() && !isAborted && !shutdown.isInterrupted(); i++) {
            RunGroup run = runs.get(i);
            remainingTime.begins(i);
            if (run.runs().stream().anyMatch(this::isUnavailable)) {
                remainingTime.skipped();
                progress.ended(run, "left out", Duration.ZERO, remainingTime.remaining());
            } else {
                make(run);
            }
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : firstFailure;
    }

    private boolean isUnavailable(RunSpec run) {
        return unavailableTransports.contains(run.transport()) || unfitPrograms.contains(run.program());
    }

    /** Returns how many runs are complete; runs at the same time count as one. */
    int completed() {
        return completed;
    }

    private void make(RunGroup run) throws LagbenchException, InterruptedException {
        for (RunSpec member : run.runs()) {
            session.setAside(member.name());
        }
        progress.started(run);
        Instant startedAt = Instant.now();
        long startNs = System.nanoTime();
        Outcome outcome = outcome(run);
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        // Ctrl-C reaches the whole process group, and the run's processes may end before this process gets it.
        boolean interrupted =
                !outcome.isOk() && (outcome.exitCode() == ExitCode.INTERRUPTED || shutdown.isInterrupted());
        if (interrupted) {
            firstFailure = ExitCode.INTERRUPTED;
            isAborted = true;
        }
        if (outcome.isOk() || (interrupted && session.isComplete(run))) {
            completed++;
            remainingTime.ended();
            progress.ended(run, "done", taken, remainingTime.remaining());
            return;
        }
        remainingTime.skipped();
        if (!interrupted) {
            handleFailure(run, outcome, startedAt);
        } else if (processes.usesExternalReceiver() && !shutdown.isInterrupted()) {
            progress.error(run.name() + ": " + outcome.sentence());
        }
        progress.ended(run, interrupted ? "interrupted" : "failed", taken, remainingTime.remaining());
    }

    private Outcome outcome(RunGroup run) throws InterruptedException {
        try {
            return processes.run(run);
        } catch (LagbenchException e) {
            return new Outcome(e.exitCode(), e.sentence());
        }
    }

    private void handleFailure(RunGroup group, Outcome outcome, Instant startedAt) throws LagbenchException {
        RunSpec run = group.runs().get(Math.min(outcome.member(), group.runs().size() - 1));
        if (group.runs().size() > 1) {
            for (RunSpec other : group.runs()) {
                // The record of a complete stream would be wrong: the streams that it names beside it were not sent.
                if (session.isComplete(other.name())) {
                    session.setAside(other.name());
                } else {
                    session.markBroken(other, outcome, startedAt);
                }
            }
        }
        if (firstFailure == ExitCode.OK) {
            firstFailure = outcome.exitCode();
        }
        session.markBroken(run, outcome, startedAt);
        progress.error(run.name() + ": " + outcome.sentence());
        if (outcome.isProgramUnfit()) {
            unfitPrograms.add(run.program());
            progress.error(
                    "All further runs with jvm: " + run.program().jvmOptions().text() + " are left out.");
            return;
        }
        switch (outcome.exitCode()) {
            case UNAVAILABLE -> {
                unavailableTransports.add(run.transport());
                progress.error("All further runs over " + run.transport() + " are left out.");
            }
            case USAGE, KEY, PEER, FILES, CLOCK -> isAborted = true;
            default -> {
                // concerns only this run
            }
        }
    }
}

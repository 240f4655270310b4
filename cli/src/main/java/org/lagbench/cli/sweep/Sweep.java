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
    private final RemainingTime timeLeft;
    private final ShutdownCoordinator interruption;
    private final Set<String> unavailableTransports = new HashSet<>();
    private final Set<Program> unfitPrograms = new HashSet<>();
    private ExitCode firstFailure = ExitCode.OK;
    private boolean over;
    private int completed;

    Sweep(
            SessionDirectory session,
            RunProcesses processes,
            Progress progress,
            RemainingTime timeLeft,
            ShutdownCoordinator interruption) {
        this.session = session;
        this.processes = processes;
        this.progress = progress;
        this.timeLeft = timeLeft;
        this.interruption = interruption;
    }

    /**
     * Makes these runs. One that fails is told of, and the next begins, unless that would meet the same failure.
     *
     * @return {@link ExitCode#OK}, or how the first that failed did, or {@link ExitCode#INTERRUPTED}
     */
    ExitCode make(List<RunGroup> runs) throws LagbenchException, InterruptedException {
        for (int i = 0; i < runs.size() && !over && !interruption.isInterrupted(); i++) {
            RunGroup run = runs.get(i);
            timeLeft.begins(i);
            if (run.runs().stream().anyMatch(this::cannotBeMade)) {
                timeLeft.skipped();
                progress.ended(run, "left out", Duration.ZERO, timeLeft.remaining());
            } else {
                make(run);
            }
        }
        return interruption.isInterrupted() ? ExitCode.INTERRUPTED : firstFailure;
    }

    private boolean cannotBeMade(RunSpec run) {
        return unavailableTransports.contains(run.transport()) || unfitPrograms.contains(run.program());
    }

    /** How many runs came to their end, those at the same time as one. */
    int completed() {
        return completed;
    }

    private void make(RunGroup run) throws LagbenchException, InterruptedException {
        setAside(run);
        progress.begins(run);
        Instant startedAt = Instant.now();
        long startNs = System.nanoTime();
        Outcome outcome = outcome(run);
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        // Ctrl-C reaches the whole process group: the run's processes may have heard of it before this one.
        boolean interrupted =
                !outcome.isOk() && (outcome.exitCode() == ExitCode.INTERRUPTED || interruption.isInterrupted());
        if (interrupted) {
            firstFailure = ExitCode.INTERRUPTED;
            over = true;
        }
        if (outcome.isOk() || (interrupted && session.isComplete(run))) {
            completed++;
            timeLeft.ended();
            progress.ended(run, "done", taken, timeLeft.remaining());
            return;
        }
        timeLeft.skipped();
        if (!interrupted) {
            failed(run, outcome, startedAt);
        } else if (processes.usesExternalReceiver() && !interruption.isInterrupted()) {
            progress.trouble(run.name() + ": " + outcome.sentence());
        }
        progress.ended(run, interrupted ? "interrupted" : "failed", taken, timeLeft.remaining());
    }

    private void setAside(RunGroup group) throws LagbenchException {
        for (RunSpec run : group.runs()) {
            session.setAside(run.name());
        }
    }

    private Outcome outcome(RunGroup run) throws InterruptedException {
        try {
            return processes.run(run);
        } catch (LagbenchException e) {
            return new Outcome(e.exitCode(), e.sentence());
        }
    }

    private void failed(RunGroup group, Outcome outcome, Instant startedAt) throws LagbenchException {
        RunSpec run = group.runs().get(Math.min(outcome.member(), group.runs().size() - 1));
        if (group.runs().size() > 1) {
            for (RunSpec other : group.runs()) {
                // A stream that came to its end did so without the company that its record tells of.
                if (session.isComplete(other.name())) {
                    session.setAside(other.name());
                } else {
                    session.mark(other, outcome, startedAt);
                }
            }
        }
        if (firstFailure == ExitCode.OK) {
            firstFailure = outcome.exitCode();
        }
        session.mark(run, outcome, startedAt);
        progress.trouble(run.name() + ": " + outcome.sentence());
        if (outcome.programUnfit()) {
            unfitPrograms.add(run.program());
            progress.trouble(
                    "All further runs with jvm: " + run.program().jvmOptions().text() + " are left out.");
            return;
        }
        switch (outcome.exitCode()) {
            case UNAVAILABLE -> {
                unavailableTransports.add(run.transport());
                progress.trouble("All further runs over " + run.transport() + " are left out.");
            }
            case USAGE, KEY, PEER, FILES, CLOCK -> over = true;
            default -> {
                // of this run only
            }
        }
    }
}

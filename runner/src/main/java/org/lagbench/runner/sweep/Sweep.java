package org.lagbench.runner.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.table.RunRows;

/** Makes the runs of a session, one after the other. Used once. */
final class Sweep {
    private final SessionDirectory session;
    private final RunProcesses processes;
    private final Progress progress;
    private final RemainingTime remainingTime;
    private final ShutdownCoordinator shutdown;
    private final @Nullable MachineCheck skipped;

    /** The routes for which this host or the receiver's lacks a requirement. */
    private final Set<Route> unavailable = new HashSet<>();

    private final Set<Program> unfitPrograms = new HashSet<>();
    private ExitCode firstFailure = ExitCode.OK;
    private final boolean hasOneProgram;
    private boolean isAborted;
    private int completed;

    Sweep(Execution execution, RunProcesses processes, Progress progress, RemainingTime remainingTime) {
        this.session = execution.session();
        this.processes = processes;
        this.progress = progress;
        this.remainingTime = remainingTime;
        this.shutdown = execution.shutdown();
        this.skipped = execution.skipUnavailable() ? new MachineCheck() : null;
        this.hasOneProgram = execution.experiment().programs().size() == 1;
    }

    /** A transport and a program that sends and receives over it. */
    private record Route(String transport, Program program) {
        static Route of(RunSpec run) {
            return new Route(run.point().transport(), run.point().program());
        }
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
            LagbenchException reason = reasonToSkip(run);
            if (reason != null) {
                skip(run, reason);
            } else if (run.runs().stream().anyMatch(this::isUnavailable)) {
                remainingTime.skipped();
                progress.ended(run, "left out", Duration.ZERO, remainingTime.remaining());
            } else {
                make(run);
            }
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : firstFailure;
    }

    private boolean isUnavailable(RunSpec run) {
        return unavailable.contains(Route.of(run))
                || unfitPrograms.contains(run.point().program());
    }

    /** Returns why a run is skipped on this machine; null if the run is made, even if it then fails. */
    private @Nullable LagbenchException reasonToSkip(RunGroup group) {
        MachineCheck check = skipped;
        return check == null
                ? null
                : group.runs().stream()
                        .map(check::reason)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** Skips a run, and writes the reason into its record. */
    private void skip(RunGroup group, LagbenchException reason) throws LagbenchException {
        for (RunSpec run : group.runs()) {
            session.setAside(run.name());
            session.createDirectory(run.name());
            session.markBroken(run, new Outcome(reason.exitCode(), reason.sentence()), Instant.now());
        }
        session.addChecksums(group);
        remainingTime.skipped();
        progress.ended(group, "left out", Duration.ZERO, remainingTime.remaining());
    }

    /** Returns how many runs are complete; concurrent runs count as one. */
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
        Outcome outcome = session.checkRecords(run, outcome(run));
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        // Ctrl-C reaches the whole process group, and the run's processes may end before this process gets it.
        boolean interrupted =
                !outcome.isOk() && (outcome.exitCode() == ExitCode.INTERRUPTED || shutdown.isInterrupted());
        if (interrupted) {
            firstFailure = ExitCode.INTERRUPTED;
            isAborted = true;
        }
        session.deleteScratch(run);
        boolean lacksFiles = outcome.exitCode() == ExitCode.FILES && session.isComplete(run);
        if (lacksFiles) {
            firstFailure = firstFailure == ExitCode.OK ? ExitCode.FILES : firstFailure;
            isAborted = true;
            progress.error(run.name() + ": " + outcome.sentence());
        }
        if (outcome.isOk() || lacksFiles || (interrupted && session.isComplete(run))) {
            completed++;
            remainingTime.ended();
            session.addChecksums(run);
            progress.ended(run, "done", taken, remainingTime.remaining());
            showFigures(run);
            return;
        }
        remainingTime.skipped();
        if (!interrupted) {
            handleFailure(run, outcome, startedAt);
            session.addChecksums(run);
        } else if (processes.usesExternalReceiver() && !shutdown.isInterrupted()) {
            progress.error(run.name() + ": " + outcome.sentence());
        }
        progress.ended(run, interrupted ? "interrupted" : "failed", taken, remainingTime.remaining());
    }

    private void showFigures(RunGroup run) {
        for (RunSpec member : progress.showsFigures() ? run.runs() : List.<RunSpec>of()) {
            try {
                Session ofRun = Session.open(session.runs().resolve(member.name()));
                progress.figures(member, Summaries.of(ofRun, RunRows.OPTIONS));
            } catch (LagbenchException e) {
                progress.error(member.name() + ": " + e.sentence());
            }
        }
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
        if (firstFailure == ExitCode.OK && !(skipped != null && outcome.exitCode() == ExitCode.UNAVAILABLE)) {
            firstFailure = outcome.exitCode();
        }
        session.markBroken(run, outcome, startedAt);
        progress.error(run.name() + ": " + outcome.sentence());
        if (outcome.isProgramUnfit()) {
            unfitPrograms.add(run.point().program());
            progress.error("All further runs with jvm: "
                    + run.point().program().jvmOptions().text() + " are left out.");
            return;
        }
        switch (outcome.exitCode()) {
            case UNAVAILABLE -> {
                unavailable.add(Route.of(run));
                progress.error("All further runs over " + run.point().transport()
                        + (hasOneProgram
                                ? ""
                                : " with engine: " + run.point().program().engine()) + " are left out.");
            }
            case USAGE, KEY, PEER, FILES, CLOCK -> isAborted = true;
            default -> {
                // concerns only this run
            }
        }
    }
}

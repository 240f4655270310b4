package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.runner.machine.Json;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.Child.ExitReport;

/**
 * Executes runs of an experiment, and records the environment in the session. When it is closed, all its processes have
 * ended. Used by one thread.
 */
public final class Sweep implements AutoCloseable {
    private final SessionDirectory session;
    private final Experiment experiment;
    private final Progress progress;
    private final ShutdownCoordinator shutdown;
    private final Path environmentFile;
    private final Map<String, @Nullable Object> environment;
    private final RunProcesses processes;
    private final @Nullable MachineCheck skipped;
    private final boolean hasOneProgram;

    /** The routes for which this host or the receiver's does not meet a requirement. */
    private final Set<Route> unavailable = new HashSet<>();

    private final Set<EngineSpec> unfitPrograms = new HashSet<>();
    private final RemainingTime remainingTime;

    /** The failures of runs that are not complete since then, in order. */
    private final Map<String, ExitCode> failures = new LinkedHashMap<>();

    private boolean isAborted;

    private Sweep(Execution execution, Progress progress, RemainingTime remainingTime) throws LagbenchException {
        this.session = execution.session();
        this.experiment = execution.experiment();
        this.progress = progress;
        this.remainingTime = remainingTime;
        this.shutdown = execution.shutdown();
        this.skipped = execution.skipUnavailable() ? new MachineCheck() : null;
        this.hasOneProgram = experiment.programs().size() == 1;
        this.environmentFile = session.newEnvironmentFile();
        Network network = experiment.path().lab();
        this.environment = Machine.environment(
                ChildJvm.options(), RunProcesses.busKind(), network == null ? null : NetworkReader.format(network));
        AtomicFile.write(environmentFile, Json.text(environment) + "\n");
        this.processes = new RunProcesses(execution, progress);
    }

    /**
     * Executes the runs of a plan that its session does not have yet. When it returns, all its processes have ended and
     * all failures have been reported.
     *
     * @param output starts to show the progress and the errors
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    public static ExitCode execute(Execution execution, Plan plan, Progress.Starter output)
            throws LagbenchException, InterruptedException {
        SessionDirectory session = execution.session();
        RunTable table = RunTable.of(session);
        Plan.Next next = plan.next(table);
        RemainingTime remainingTime = new RemainingTime(System::nanoTime);
        remainingTime.add(next.groups());
        try (Progress progress = output.start(next.groups().size(), remainingTime::remaining)) {
            ExitCode exitCode = ExitCode.OK;
            if (!next.groups().isEmpty()) {
                try (Sweep sweep = new Sweep(execution, progress, remainingTime)) {
                    exitCode = sweep.execute(plan, next, table);
                }
            }
            Plan.Extent extent = plan.extent(table);
            if (!extent.isOver()) {
                progress.unfinished((exitCode == ExitCode.INTERRUPTED ? "Interrupted: " : "") + extent.sentence() + " "
                        + execution.experiment().resumeOptions(session.directory()));
                if (session.hasBrokenRun()) {
                    progress.unfinished(stampsOfBrokenRuns(execution));
                }
            }
            progress.finished(exitCode, extent.complete(), Objects.requireNonNullElse(extent.all(), extent.complete()));
            return exitCode;
        }
    }

    private ExitCode execute(Plan plan, Plan.Next first, RunTable table)
            throws LagbenchException, InterruptedException {
        first.groups().forEach(run -> noteDamage(run, table));
        MachineCheck.notes(session.directory(), experiment, first.groups()).forEach(progress::note);
        Plan.Next next = first;
        while (!next.groups().isEmpty()) {
            for (RunGroup run : next.groups()) {
                if (!isOver()) {
                    table.add(run, attempt(run, next.limit()));
                }
            }
            if (isOver()) {
                break;
            }
            next = plan.next(table);
            next.notes().forEach(progress::note);
            remainingTime.add(next.groups());
        }
        return exitCode();
    }

    private void noteDamage(RunGroup group, RunTable table) {
        for (RunSpec run : group.runs()) {
            String damage = table.damage(run);
            if (damage != null) {
                progress.note(run.name() + " is repeated: " + damage + ".");
            }
        }
    }

    private boolean isOver() {
        return isAborted || shutdown.isInterrupted();
    }

    private ExitCode exitCode() {
        return shutdown.isInterrupted()
                ? ExitCode.INTERRUPTED
                : failures.values().stream().findFirst().orElse(ExitCode.OK);
    }

    /** Returns how to see the stamps of runs that ended early. A receiver on another host has its part of them. */
    private static String stampsOfBrokenRuns(Execution execution) {
        Endpoint receiver = execution.experiment().path().receiver();
        return "The stamps of runs that ended early are kept"
                + (receiver == null
                        ? ": "
                        : " here and at " + receiver
                                + ". Copy the files of each run from there to the same run here, then: ")
                + "lagbench table " + execution.session().directory() + " --include-broken";
    }

    /** A transport and a program that sends and receives over it. */
    private record Route(String transport, EngineSpec program) {
        static Route of(RunSpec run) {
            return new Route(run.point().transport(), run.point().program());
        }
    }

    /**
     * Executes a run, unless it would fail for the same reason as an earlier one.
     *
     * @param limit after which the run is interrupted; null for none
     * @return {@link ExitCode#OK} if the run is complete
     */
    private ExitCode attempt(RunGroup run, @Nullable Duration limit) throws LagbenchException, InterruptedException {
        remainingTime.begins();
        LagbenchException reason = reasonToSkip(run);
        if (reason != null) {
            skip(run, reason);
            return reason.exitCode();
        } else if (run.runs().stream().anyMatch(this::isUnavailable)) {
            remainingTime.skipped();
            progress.ended(run, "left out", Duration.ZERO, remainingTime.remaining());
            return ExitCode.UNAVAILABLE;
        }
        return executeNext(run, limit);
    }

    private boolean isUnavailable(RunSpec run) {
        return unavailable.contains(Route.of(run))
                || unfitPrograms.contains(run.point().program());
    }

    /** Returns why a run is skipped on this machine; null if the run is executed, even if it then fails. */
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
            session.markBroken(run, new ExitReport(reason.exitCode(), reason.sentence()), Instant.now());
        }
        session.addChecksums(group);
        remainingTime.skipped();
        progress.ended(group, "left out", Duration.ZERO, remainingTime.remaining());
    }

    private ExitCode executeNext(RunGroup run, @Nullable Duration limit)
            throws LagbenchException, InterruptedException {
        for (RunSpec member : run.runs()) {
            session.setAside(member.name());
        }
        progress.started(run);
        Instant startedAt = Instant.now();
        long startNs = System.nanoTime();
        ExitReport outcome = session.checkRecords(run, outcome(run, limit));
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        // Ctrl-C reaches the whole process group, and the run's processes may end before this process gets it.
        boolean interrupted =
                !outcome.isOk() && (outcome.exitCode() == ExitCode.INTERRUPTED || shutdown.isInterrupted());
        boolean tookTooLong = interrupted && limit != null && taken.compareTo(limit) >= 0 && !shutdown.isInterrupted();
        if (interrupted && !tookTooLong) {
            failures.clear();
            failures.put(run.name(), ExitCode.INTERRUPTED);
            isAborted = true;
        }
        session.deleteScratch(run);
        boolean lacksFiles = outcome.exitCode() == ExitCode.FILES && session.isComplete(run);
        if (lacksFiles) {
            failures.put(run.name(), ExitCode.FILES);
            isAborted = true;
            progress.error(run.name() + ": " + outcome.sentence());
        }
        if (outcome.isOk() || lacksFiles || (interrupted && session.isComplete(run))) {
            if (outcome.isOk()) {
                failures.remove(run.name());
            }
            remainingTime.ended();
            session.addChecksums(run);
            progress.ended(run, Progress.DONE, taken, remainingTime.remaining());
            showFigures(run);
            return ExitCode.OK;
        }
        remainingTime.skipped();
        if (!interrupted) {
            handleFailure(run, outcome, startedAt);
            session.addChecksums(run);
        } else {
            for (RunSpec member : run.runs()) {
                session.markBroken(member, outcome, startedAt);
            }
            if (processes.usesExternalReceiver() && !shutdown.isInterrupted()) {
                progress.error(run.name() + ": " + outcome.sentence());
            }
        }
        progress.ended(run, interrupted ? "interrupted" : "failed", taken, remainingTime.remaining());
        return outcome.exitCode();
    }

    private void showFigures(RunGroup run) {
        SummaryOptions shown = progress.shownMetrics();
        if (shown == null) {
            return;
        }
        for (RunSpec member : run.runs()) {
            try {
                Session ofRun = Session.open(session.runs().resolve(member.name()));
                progress.metrics(member, Summaries.of(ofRun, shown));
            } catch (LagbenchException e) {
                progress.error(member.name() + ": " + e.sentence());
            }
        }
    }

    private ExitReport outcome(RunGroup run, @Nullable Duration limit) throws InterruptedException {
        CompletableFuture<?> end = limit == null
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(
                        processes::terminate, CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS));
        try {
            return processes.run(run);
        } catch (LagbenchException e) {
            return new ExitReport(e.exitCode(), e.sentence());
        } finally {
            end.cancel(false);
        }
    }

    private void handleFailure(RunGroup group, ExitReport outcome, Instant startedAt) throws LagbenchException {
        RunSpec run = group.runs().get(Math.min(outcome.member(), group.runs().size() - 1));
        if (group.runs().size() > 1) {
            for (RunSpec other : group.runs()) {
                // The record of a complete stream would be wrong: the streams that it names as concurrent were not
                // sent.
                if (session.isComplete(other.name())) {
                    session.setAside(other.name());
                } else {
                    session.markBroken(other, outcome, startedAt);
                }
            }
        }
        if (skipped == null || outcome.exitCode() != ExitCode.UNAVAILABLE) {
            failures.put(group.name(), outcome.exitCode());
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
                // other failures concern only this run
            }
        }
    }

    @Override
    public void close() throws LagbenchException {
        try (processes) {
            environment.put(Machine.ENDED_AT, Instant.now().toString());
            AtomicFile.write(environmentFile, Json.text(environment) + "\n");
        }
    }
}

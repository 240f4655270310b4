package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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
    private RemainingTime remainingTime;
    private ExitCode firstFailure = ExitCode.OK;
    private boolean isAborted;
    private int completed;

    public Sweep(Execution execution, Progress progress) throws LagbenchException {
        this(execution, progress, new RemainingTime(List.of(), System::nanoTime));
    }

    private Sweep(Execution execution, Progress progress, RemainingTime remainingTime) throws LagbenchException {
        this.session = execution.session();
        this.progress = progress;
        this.remainingTime = remainingTime;
        this.shutdown = execution.shutdown();
        this.skipped = execution.skipUnavailable() ? new MachineCheck() : null;
        this.hasOneProgram = execution.experiment().programs().size() == 1;
        this.environmentFile = session.newEnvironmentFile();
        Network network = execution.experiment().path().lab();
        this.environment = Machine.environment(
                ChildJvm.options(), RunProcesses.busKind(), network == null ? null : NetworkReader.format(network));
        AtomicFile.write(environmentFile, Json.text(environment) + "\n");
        this.processes = new RunProcesses(execution, progress);
    }

    /**
     * Executes all runs of an experiment that its session does not have yet. When it returns, all its processes have
     * ended and all failures have been reported.
     *
     * @param output starts to show the progress and the errors
     */
    public static ExitCode execute(Execution execution, Progress.Starter output)
            throws LagbenchException, InterruptedException {
        SessionDirectory session = execution.session();
        List<RunGroup> all = execution.experiment().groups(execution.seed());
        Map<String, String> damaged = new LinkedHashMap<>();
        all.stream().flatMap(group -> group.runs().stream()).map(RunSpec::name).forEach(run -> {
            String damage = session.damage(run);
            if (damage != null) {
                damaged.put(run, damage);
            }
        });
        List<RunGroup> missing = all.stream()
                .filter(group -> !session.isComplete(group)
                        || group.runs().stream().anyMatch(run -> damaged.containsKey(run.name())))
                .toList();
        RemainingTime remainingTime =
                new RemainingTime(missing.stream().map(RemainingTime::longest).toList(), System::nanoTime);
        try (Progress progress = output.start(all, missing.size(), remainingTime::remaining)) {
            damaged.forEach((run, damage) -> progress.note(run + " is repeated: " + damage + "."));
            int before = all.size() - missing.size();
            ExitCode exitCode = ExitCode.OK;
            int complete = before;
            if (!missing.isEmpty()) {
                try (Sweep sweep = new Sweep(execution, progress, remainingTime)) {
                    MachineCheck.notes(execution.session().directory(), execution.experiment(), missing)
                            .forEach(progress::note);
                    exitCode = sweep.execute(missing);
                    complete += sweep.completed;
                }
            }
            if (complete < all.size()) {
                progress.error((exitCode == ExitCode.INTERRUPTED ? "Interrupted: " : "")
                        + complete + " of " + all.size()
                        + " runs are complete and kept. To make the others: lagbench sweep "
                        + execution.experiment().resumeOptions(session.directory()));
                if (session.hasBrokenRun()) {
                    progress.error(stampsOfBrokenRuns(execution));
                }
            }
            progress.finished(exitCode, complete, all.size());
            return exitCode;
        }
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

    /** Executes one run, and reports its failure to the progress. */
    public ExitCode execute(RunGroup run) throws LagbenchException, InterruptedException {
        remainingTime = new RemainingTime(List.of(RemainingTime.longest(run)), System::nanoTime);
        unavailable.clear();
        unfitPrograms.clear();
        firstFailure = ExitCode.OK;
        isAborted = false;
        return execute(List.of(run));
    }

    /** Executes one run as {@link #execute(RunGroup)}, and interrupts it if it takes longer than a limit. */
    public ExitCode execute(RunGroup run, Duration limit) throws LagbenchException, InterruptedException {
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                processes::terminate, CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS));
        try {
            return execute(run);
        } finally {
            end.cancel(false);
        }
    }

    /**
     * Executes the runs. After a failure the next run follows, unless it would fail for the same reason.
     *
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    private ExitCode execute(List<RunGroup> runs) throws LagbenchException, InterruptedException {
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
                executeNext(run);
            }
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : firstFailure;
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

    private void executeNext(RunGroup run) throws LagbenchException, InterruptedException {
        for (RunSpec member : run.runs()) {
            session.setAside(member.name());
        }
        progress.started(run);
        Instant startedAt = Instant.now();
        long startNs = System.nanoTime();
        ExitReport outcome = session.checkRecords(run, outcome(run));
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
            progress.ended(run, Progress.DONE, taken, remainingTime.remaining());
            showFigures(run);
            return;
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

    private ExitReport outcome(RunGroup run) throws InterruptedException {
        try {
            return processes.run(run);
        } catch (LagbenchException e) {
            return new ExitReport(e.exitCode(), e.sentence());
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
                // other failures concern only this run
            }
        }
    }

    @Override
    public void close() throws LagbenchException {
        try (processes) {
            environment.put(Machine.ENDED_AT, Instant.now().toString());
            AtomicFile.write(environmentFile, Json.text(environment) + "\n");
            session.deleteEmptyLogs();
        }
    }
}

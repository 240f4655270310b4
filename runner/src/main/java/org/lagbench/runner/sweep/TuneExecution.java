package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.tune.Constraint;
import org.lagbench.analysis.tune.SmallestSetting;
import org.lagbench.analysis.tune.Trial;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneCriteria;
import org.lagbench.analysis.tune.TuneSearch;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Units;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.SettingAxes;
import org.lagbench.report.page.TuneReport;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.RunMarks;

/**
 * Executes a tuning run in its session: passes the existing runs to the tuner, and executes the runs that it requests.
 */
public final class TuneExecution {
    private static final int MAXIMUM_ATTEMPTS = 3;

    private final Execution execution;
    private final Experiment experiment;
    private final Tuning tuning;
    private final Objective objective;
    private final List<Metric<?>> required = new ArrayList<>();
    private final SessionDirectory session;
    private int runsAccepted;
    private @Nullable TuneReport report;

    /**
     * Creates an execution of an experiment with a section tune.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric
     */
    public TuneExecution(Execution execution) throws LagbenchException {
        this.execution = execution;
        this.experiment = execution.experiment();
        this.tuning = Objects.requireNonNull(experiment.tune(), "section tune");
        this.objective = Objective.of(tuning);
        for (Limit limit : tuning.require()) {
            required.add(defined(MetricRegistry.judged(limit.name())));
        }
        Metric<?> metric = objective.metric();
        if (metric != null) {
            defined(metric);
        }
        this.session = execution.session();
    }

    /** Returns a metric that the runs can have. */
    private Metric<?> defined(Metric<?> metric) throws LagbenchException {
        String traffic = experiment.runs(0).get(0).point().traffic().kind().text();
        if (!MetricGroup.isOfPoints(metric) || !MetricMeaning.isDefined(metric.id(), traffic)) {
            throw ExitCode.USAGE.failure(metric.id() + " is undefined for the traffic " + traffic
                    + ": docs/reference/metrics.md lists which traffic has it.");
        }
        return metric;
    }

    /** Returns the result; null if the tune was interrupted or failed. */
    public @Nullable TuneReport report() {
        return report;
    }

    /** Executes the runs. When it returns, all its processes have ended and all failures have been reported. */
    public ExitCode execute(PrintWriter err, boolean quiet) throws LagbenchException, InterruptedException {
        try (Progress progress = Progress.lines(err, quiet)) {
            List<Tuning.Knob> knobs = tuning.knobs().stream()
                    .map(knob -> MachineCheck.limited(experiment, knob, progress))
                    .toList();
            TuneSearch tuner = objective.isSetting() && knobs.size() == 1
                    ? new SmallestSetting(knobs.get(0), criteria())
                    : new Tuner(knobs, criteria(), !objective.isSetting(), execution.seed());
            ExitCode exitCode = acceptExistingRuns(tuner) ? ExitCode.OK : execute(tuner, progress);
            if (exitCode == ExitCode.INTERRUPTED) {
                progress.error("Interrupted: " + runsAccepted + (runsAccepted == 1 ? " run is" : " runs are")
                        + " kept. To continue: lagbench tune " + experiment.resumeOptions(session.directory()));
            }
            if (exitCode == ExitCode.OK) {
                String transport = experiment.axes().transports().get(0).name();
                report = new TuneReport(tuner.result(), objective, transport);
            }
            return exitCode;
        }
    }

    /** Passes existing runs to the tuner until one is missing; returns whether all exist. */
    private boolean acceptExistingRuns(TuneSearch tuner) throws LagbenchException {
        for (Optional<TuneCandidate> next = tuner.next(); next.isPresent(); next = tuner.next()) {
            RunSpec run = run(next.get()).runs().get(0);
            if (!exists(run)) {
                return false;
            }
            accept(tuner, next.get(), run);
        }
        return true;
    }

    /**
     * Returns whether a run is complete and intact, and has the same settings. These may differ with another budget.
     */
    private boolean exists(RunSpec run) throws LagbenchException {
        return session.isComplete(run.name())
                && session.damage(run.name()) == null
                && RunRecord.read(directory(run))
                        .point()
                        .allSettings()
                        .asText()
                        .equals(run.point().allSettings().asText());
    }

    private ExitCode execute(TuneSearch tuner, Progress progress) throws LagbenchException, InterruptedException {
        TuneBudget budget = new TuneBudget(
                tuning.budget(),
                tuner.next()
                        .map(first -> RemainingTime.firstS(RemainingTime.longest(run(first))))
                        .orElse(0.0),
                System::nanoTime);
        try (Sweep sweep = new Sweep(execution, progress)) {
            while (!execution.shutdown().isInterrupted()) {
                tuner.budget(budget.runs(), budget.runsLeft());
                Optional<TuneCandidate> next = tuner.next();
                if (next.isEmpty()) {
                    return ExitCode.OK;
                }
                RunSpec.RunGroup run = run(next.get());
                ExitCode exitCode = attempt(sweep, run, budget.limit());
                if (exitCode == ExitCode.INTERRUPTED
                        && budget.isOver()
                        && !execution.shutdown().isInterrupted()) {
                    progress.note(run.name() + " is not used: the budget ended before it did.");
                    tuner.budget(budget.runs(), 0);
                    return ExitCode.OK;
                }
                if (exitCode != ExitCode.OK) {
                    return exitCode;
                }
                budget.runMade();
                String phase = tuner.phaseText();
                int contenders = tuner.contenders();
                Trial trial = accept(tuner, next.get(), run.runs().get(0));
                if (trial.isSpoiled()) {
                    progress.note(String.format(
                            "run %d of %s is spoiled: %s At most %s left",
                            runsAccepted,
                            next.get().text(),
                            String.join(" ", RunMarks.spoiling(trial.spoiledBy(), 1)),
                            Numbers.time(budget.timeLeft())));
                    continue;
                }
                progress.note(String.format(
                        Locale.ROOT,
                        "run %d  %s, candidates: %d  %s: %s %s, %.1f Mbit/s, %d lost; %.1f s a run, at most %s left",
                        runsAccepted,
                        phase,
                        contenders,
                        next.get().text(),
                        objective.id(),
                        TuneReport.text(objective, trial.objective()),
                        trial.goodputBitsPerS() / Units.BITS_PER_MBIT,
                        trial.lost(),
                        budget.runS(),
                        Numbers.time(budget.timeLeft())));
            }
            return ExitCode.INTERRUPTED;
        }
    }

    /** Executes a run, again if it broke: a broken run is no result of its candidate. */
    private static ExitCode attempt(Sweep sweep, RunSpec.RunGroup run, Duration limit)
            throws LagbenchException, InterruptedException {
        ExitCode exitCode = ExitCode.BROKEN;
        for (int i = 0; i < MAXIMUM_ATTEMPTS && exitCode == ExitCode.BROKEN; i++) {
            exitCode = sweep.execute(run, limit);
        }
        return exitCode;
    }

    private Trial accept(TuneSearch tuner, TuneCandidate candidate, RunSpec run) throws LagbenchException {
        Trial trial = Trial.of(directory(run), candidate, objective, required);
        tuner.accept(trial);
        runsAccepted++;
        return trial;
    }

    private Path directory(RunSpec run) {
        return session.runs().resolve(run.name());
    }

    /** Returns the run of a candidate. Windows would take time of the budget, and a result needs no causes. */
    private RunSpec.RunGroup run(TuneCandidate candidate) {
        SettingAxes<Transport> axes = experiment.axes().transports().get(0);
        Map<String, String> settings =
                new LinkedHashMap<>(axes.combinations().get(0).asText());
        settings.putAll(candidate.knobs());
        RunSpec.RunGroup planned =
                experiment.run(runsAccepted + 1, Settings.of(axes.owner().settings(), settings));
        return new RunSpec.RunGroup(
                planned.name(),
                planned.runs().stream()
                        .map(run -> run.with(run.point().withoutAuto()))
                        .toList());
    }

    private TuneCriteria criteria() {
        List<Constraint> constraints = new ArrayList<>();
        Integer lossPpm = tuning.maximumLossPpm();
        if (lossPpm != null) {
            constraints.add(Constraint.ofLoss(
                    "a loss of at most " + TuneReport.percent(lossPpm / Units.PPM),
                    new Limit(MainMetrics.LOSS.id(), "<=", Quantities.formatShare(lossPpm))));
        }
        Tuning.GoodputFloor floor = tuning.goodput();
        Network lab = experiment.path().lab();
        if (floor != null) {
            double bitsPerS = floor.bitsPerS(lab == null ? 0 : lab.forward().rateBitsPerS());
            constraints.add(Constraint.ofGoodput(
                    "a goodput of at least " + TuneReport.mega(bitsPerS) + " Mbit/s",
                    new Limit(MainMetrics.RECEIVE_RATE.id(), ">=", Quantities.formatRate(Math.round(bitsPerS)))));
        }
        for (int i = 0; i < required.size(); i++) {
            constraints.add(Constraint.of(tuning.require().get(i), required.get(i)));
        }
        return new TuneCriteria(constraints, tuning.indifferencePpm() / Units.PPM, objective.smallerIsBetter());
    }
}

package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroups;
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
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.text.Units;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.SettingAxes;
import org.lagbench.report.page.TuneReport;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.RunMarks;

/**
 * Searches for the best settings: each run is a repeat of a candidate's point, and decides with those before which is
 * next.
 */
public final class SearchPlan implements Plan {
    private static final int MAXIMUM_ATTEMPTS = 3;

    private final Experiment experiment;
    private final Tuning tuning;
    private final Objective objective;
    private final List<Metric<?>> required = new ArrayList<>();
    private final TuneSearch search;
    private final Map<TuneCandidate, Integer> repeats = new HashMap<>();
    private TuneBudget budget;
    private boolean isOver;

    /**
     * Creates the plan of an experiment with a section tune.
     *
     * @param notes receives how to raise a limit of this machine that cuts the range of a setting
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric
     */
    public SearchPlan(Experiment experiment, long seed, Consumer<String> notes) throws LagbenchException {
        this.experiment = experiment;
        this.tuning = Objects.requireNonNull(experiment.tune(), "section tune");
        this.objective = Objective.of(tuning);
        for (Limit limit : tuning.require()) {
            required.add(defined(MetricRegistry.judged(limit.name())));
        }
        Metric<?> metric = objective.metric();
        if (metric != null) {
            defined(metric);
        }
        List<Tuning.Knob> knobs = tuning.knobs().stream()
                .map(knob -> MachineCheck.limited(experiment, knob, notes))
                .toList();
        this.search = objective.isSetting() && knobs.size() == 1
                ? new SmallestSetting(knobs.get(0), criteria())
                : new Tuner(knobs, criteria(), !objective.isSetting(), seed);
        double firstRunS =
                search.next().map(first -> RemainingTime.firstS(run(first))).orElse(0.0);
        this.budget = new TuneBudget(tuning.budget(), firstRunS, 0, Duration.ZERO);
    }

    /** Returns a metric that the runs can have. */
    private Metric<?> defined(Metric<?> metric) throws LagbenchException {
        String traffic = experiment.runs(0).get(0).point().traffic().kind().text();
        if (!MetricGroups.isOfPoints(metric) || !MetricMeaning.isDefined(metric.id(), traffic)) {
            throw ExitCode.USAGE.failure(metric.id() + " is undefined for the traffic " + traffic
                    + ": docs/reference/metrics.md lists which traffic has it.");
        }
        return metric;
    }

    @Override
    public Next next(RunTable soFar) throws LagbenchException {
        List<String> notes = new ArrayList<>();
        while (true) {
            search.budget(budget.runs(), budget.runsLeft());
            TuneCandidate candidate = search.next().orElse(null);
            if (candidate == null) {
                isOver = true;
                return new Next(List.of(), null, notes);
            }
            RunGroup run = soFar.repeat(run(candidate), repeats.getOrDefault(candidate, 0) + 1);
            if (soFar.isComplete(run)) {
                String note = accept(candidate, run, soFar);
                if (!soFar.outcomes(run).isEmpty()) {
                    notes.add(note);
                }
            } else if (soFar.outcomes(run).contains(ExitCode.INTERRUPTED)) {
                notes.add(run.name() + " is not used: the budget ended before it did.");
                search.budget(budget.runs(), 0);
            } else {
                return new Next(isWorthTrying(soFar.outcomes(run)) ? List.of(run) : List.of(), budget.limit(), notes);
            }
        }
    }

    /** Returns whether a run is tried, or tried again because it broke: a broken run is no result of its candidate. */
    private static boolean isWorthTrying(List<ExitCode> outcomes) {
        return outcomes.size() < MAXIMUM_ATTEMPTS && outcomes.stream().allMatch(ExitCode.BROKEN::equals);
    }

    /** Passes a run to the search, and returns a sentence about it. */
    private String accept(TuneCandidate candidate, RunGroup run, RunTable soFar) throws LagbenchException {
        Trial trial = Trial.of(soFar.directory(run.runs().get(0)), candidate, objective, required);
        String phase = search.phaseText();
        int contenders = search.contenders();
        search.accept(trial);
        repeats.merge(candidate, 1, Integer::sum);
        budget = budget.after(soFar.taken(run));
        return trial.isSpoiled()
                ? String.format(
                        "run %d of %s is spoiled: %s At most %s left",
                        budget.made(),
                        candidate.text(),
                        String.join(" ", RunMarks.spoiling(trial.spoiledBy(), 1)),
                        Numbers.time(budget.timeLeft()))
                : String.format(
                        Locale.ROOT,
                        "run %d  %s, candidates: %d  %s: %s %s, %.1f Mbit/s, %d lost; %.1f s a run, at most %s left",
                        budget.made(),
                        phase,
                        contenders,
                        candidate.text(),
                        objective.id(),
                        TuneReport.text(objective, trial.objective()),
                        trial.goodputBitsPerS() / Units.BITS_PER_MBIT,
                        trial.lost(),
                        budget.runS(),
                        Numbers.time(budget.timeLeft()));
    }

    @Override
    public Extent extent(RunTable soFar) {
        return new Extent(soFar.complete(), null, isOver, "tune");
    }

    /** Returns the result so far. */
    public TuneReport report() {
        return new TuneReport(
                search.result(),
                objective,
                experiment.axes().transports().get(0).name());
    }

    /** Returns the run of a candidate. Windows would take time of the budget, and a result needs no causes. */
    private RunGroup run(TuneCandidate candidate) {
        SettingAxes<Transport> axes = experiment.axes().transports().get(0);
        Map<String, String> settings =
                new LinkedHashMap<>(axes.combinations().get(0).asText());
        settings.putAll(candidate.knobs());
        RunGroup planned = experiment.run(Settings.of(axes.owner().settings(), settings));
        return new RunGroup(
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

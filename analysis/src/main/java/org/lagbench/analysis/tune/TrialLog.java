package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.core.model.Limit;

/**
 * All trials of a tuning run, by candidate and round, and what they prove of two candidates. These are compared as
 * points are by a comparison: by the ratios of the rounds in which both were run, so that a machine that becomes slower
 * does not decide.
 */
final class TrialLog {
    private static final int MIN_ROUNDS = 4;
    private static final double FACTOR_OF_FEW_ROUNDS = 2;

    private static final Constraint LOSS = Constraint.ofLoss("a loss", new Limit(MainMetrics.LOSS.id(), "<=", "100 %"));

    /** How many times worse a value is than one of 0, which has no ratio. */
    private static final double RATIO_TO_NONE = 1_000;

    private final TuneCriteria criteria;
    private final Map<TuneCandidate, NavigableMap<Integer, Trial>> byRound = new LinkedHashMap<>();
    private final Map<TuneCandidate, List<Trial>> spoiled = new LinkedHashMap<>();
    private int round;

    TrialLog(TuneCriteria criteria) {
        this.criteria = criteria;
    }

    /** Begins a round, in which a candidate has at most one trial. */
    void beginRound() {
        round++;
    }

    /** Returns the number of the current round, from 1. */
    int round() {
        return round;
    }

    void add(TuneCandidate candidate, Trial trial) {
        byRound.computeIfAbsent(candidate, one -> new TreeMap<>()).put(round, trial);
    }

    /** Adds a run that the machine spoiled, of which nothing but this is known. */
    void addSpoiled(TuneCandidate candidate, Trial trial) {
        byRound.computeIfAbsent(candidate, one -> new TreeMap<>());
        spoiled.computeIfAbsent(candidate, one -> new ArrayList<>()).add(trial);
    }

    /** Returns the spoiled runs of a candidate. */
    List<Trial> spoiled(TuneCandidate candidate) {
        return spoiled.getOrDefault(candidate, List.of());
    }

    /** Returns why runs are spoiled. */
    List<RunMark> spoiledBy() {
        return spoiled.values().stream()
                .flatMap(List::stream)
                .flatMap(trial -> trial.spoiledBy().stream())
                .toList();
    }

    /** Returns the candidates that were run, in the order of their first runs. */
    Set<TuneCandidate> candidates() {
        return Collections.unmodifiableSet(byRound.keySet());
    }

    /** Returns the result of a candidate. */
    CandidateResult result(TuneCandidate candidate, CandidateVerdict verdict, List<Constraint> constraints) {
        List<Trial> trials = of(candidate);
        return new CandidateResult(
                candidate,
                verdict,
                trials.size(),
                spoiled(candidate).size(),
                median(0, candidate),
                trials.stream()
                        .map(Trial::objective)
                        .filter(one -> !Double.isNaN(one))
                        .toList(),
                LOSS.estimate(trials).interval(),
                TuneCriteria.mean(trials, Trial::goodputBitsPerS),
                constraints.stream()
                        .map(constraint -> constraint.estimate(trials).interval())
                        .toList());
    }

    List<Trial> of(TuneCandidate candidate) {
        return List.copyOf(since(0, candidate).values());
    }

    /** Returns the median of a candidate's objective after a round; NaN without runs after the round. */
    double median(int since, TuneCandidate candidate) {
        return Interval.ofMedian(since(since, candidate).values().stream()
                        .filter(Trial::hasObjective)
                        .mapToDouble(Trial::objective)
                        .toArray())
                .value();
    }

    /** Returns how many times worse a candidate is than another, in the rounds after a round that have both. */
    double[] ratios(int since, TuneCandidate candidate, TuneCandidate other) {
        NavigableMap<Integer, Trial> others = since(since, other);
        return since(since, candidate).entrySet().stream()
                .filter(trial -> others.containsKey(trial.getKey()))
                .filter(trial -> trial.getValue().hasObjective()
                        && Objects.requireNonNull(others.get(trial.getKey())).hasObjective())
                .mapToDouble(trial -> ratio(
                        trial.getValue().objective(),
                        Objects.requireNonNull(others.get(trial.getKey())).objective()))
                .toArray();
    }

    private double ratio(double value, double other) {
        double larger =
                value == other ? 1 : value == 0 ? 1 / RATIO_TO_NONE : other == 0 ? RATIO_TO_NONE : value / other;
        return criteria.smallerIsBetter() ? larger : 1 / larger;
    }

    /** Returns whether a candidate is proven to be worse than another by more than the indifference. */
    boolean isWorse(TuneCandidate candidate, TuneCandidate than, double level) {
        double[] logs = logs(candidate, than);
        return logs.length >= MIN_ROUNDS && Interval.isAbove(logs, Math.log1p(criteria.indifference()), level);
    }

    /** Returns whether a candidate is proven to be worse than another by less than the indifference, or better. */
    boolean isAsGood(TuneCandidate candidate, TuneCandidate as, double level) {
        double[] logs = logs(as, candidate);
        return logs.length >= MIN_ROUNDS && Interval.isAbove(logs, -Math.log1p(criteria.indifference()), level);
    }

    /**
     * Returns the candidate with the best median, and those that cannot be distinguished from it: they are not proven
     * to be worse by more than the indifference. With too few rounds for a proof, candidates within a factor of two are
     * not distinguished.
     */
    List<TuneCandidate> alike(Collection<TuneCandidate> candidates) {
        TuneCandidate best = candidates.stream()
                .min(Comparator.comparingDouble(
                        candidate -> (criteria.smallerIsBetter() ? 1 : -1) * median(0, candidate)))
                .orElse(TuneCandidate.DEFAULT);
        return candidates.stream()
                .filter(candidate -> {
                    double[] ratios = ratios(0, candidate, best);
                    return ratios.length < MIN_ROUNDS
                            ? Interval.ofMedian(ratios).value() <= FACTOR_OF_FEW_ROUNDS
                            : !isWorse(candidate, best, TuneSearch.LEVEL / candidates.size());
                })
                .toList();
    }

    private double[] logs(TuneCandidate candidate, TuneCandidate other) {
        return Arrays.stream(ratios(0, candidate, other)).map(Math::log).toArray();
    }

    private NavigableMap<Integer, Trial> since(int since, TuneCandidate candidate) {
        return byRound.getOrDefault(candidate, Collections.emptyNavigableMap()).tailMap(since, false);
    }
}

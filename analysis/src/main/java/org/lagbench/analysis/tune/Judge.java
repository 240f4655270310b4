package org.lagbench.analysis.tune;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says of each candidate what the runs prove.
 *
 * <p>A candidate is worse if a test of any other that keeps to the constraints against it, at level / (K − 1) of K
 * candidates (Bonferroni), tells that it is greater by more than the indifference. So the best of them all, whichever
 * it is, is thrown out with a probability of at most the level, however the others were chosen to be compared. Likewise
 * one is tied only if that test, the other way round, tells it of all that are still in: then it is within the
 * indifference of the best.
 */
final class Judge {
    private static final double ALIKE = 0.05;
    private static final double FACTOR_OF_FEW_RUNS = 2;

    private final TuneCriteria rules;

    Judge(TuneCriteria rules) {
        this.rules = rules;
    }

    /** Those that break a constraint: clearly, or proven with its share of the level. */
    Set<TuneCandidate> infeasible(Map<TuneCandidate, List<Trial>> trials, double level) {
        Set<TuneCandidate> infeasible = new LinkedHashSet<>();
        trials.forEach((candidate, runs) -> {
            if (rules.isClearlyBroken(runs) || rules.isBroken(runs, level / trials.size())) {
                infeasible.add(candidate);
            }
        });
        return infeasible;
    }

    /**
     * The verdicts on candidates that are still in.
     *
     * @param trials of each of them, of the same rounds
     */
    Map<TuneCandidate, CandidateVerdict> judge(Map<TuneCandidate, List<Trial>> trials, double level) {
        double each = level / Math.max(1, trials.size() - 1);
        Map<TuneCandidate, double[]> objectives = new LinkedHashMap<>();
        Set<TuneCandidate> kept = new LinkedHashSet<>();
        trials.forEach((candidate, runs) -> {
            objectives.put(
                    candidate, runs.stream().mapToDouble(Trial::objectiveNs).toArray());
            if (rules.isKept(runs, each)) {
                kept.add(candidate);
            }
        });
        double factor = 1 + rules.indifference();
        Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
        objectives.forEach((candidate, values) -> {
            boolean worse = kept.stream()
                    .filter(other -> !other.equals(candidate))
                    .anyMatch(other -> ExactMannWhitney.greater(values, of(objectives, other), factor) <= each);
            verdicts.put(candidate, worse ? CandidateVerdict.WORSE : CandidateVerdict.UNCLEAR);
        });
        objectives.forEach((candidate, values) -> {
            boolean tied = kept.contains(candidate)
                    && verdicts.get(candidate) == CandidateVerdict.UNCLEAR
                    && objectives.keySet().stream()
                            .filter(other -> !other.equals(candidate) && verdicts.get(other) != CandidateVerdict.WORSE)
                            .allMatch(other -> ExactMannWhitney.less(values, of(objectives, other), factor) <= each);
            if (tied) {
                verdicts.put(candidate, CandidateVerdict.TIED);
            }
        });
        return verdicts;
    }

    /**
     * Those that are not told apart from the one with the least median, that one included: their median is within the
     * indifference of it, or the interval of 95 % of their quotient includes 1. Where there are too few runs for an
     * interval, a median within a factor of two counts as not told apart. Nothing if there are no candidates.
     */
    List<TuneCandidate> alike(Map<TuneCandidate, List<Trial>> trials) {
        Optional<TuneCandidate> least =
                trials.keySet().stream().min(Comparator.comparingDouble(candidate -> medianNs(trials, candidate)));
        if (least.isEmpty()) {
            return List.of();
        }
        double[] best = objectives(trials, least.get());
        double leastNs = medianNs(trials, least.get());
        return trials.keySet().stream()
                .filter(candidate -> {
                    ConfidenceInterval quotient =
                            ExactMannWhitney.shift(objectives(trials, candidate), best, (x, y) -> x / y, ALIKE);
                    double most = quotient.isBounded() ? 1 + rules.indifference() : FACTOR_OF_FEW_RUNS;
                    return medianNs(trials, candidate) <= most * leastNs || quotient.contains(1);
                })
                .toList();
    }

    /** Those that are proven to keep to the constraints. */
    boolean isKept(List<Trial> runs, double level) {
        return rules.isKept(runs, level);
    }

    /** The number of runs of each of K candidates from which on the test can tell anything at that level. */
    static int fewestRounds(int candidates, double level) {
        return Math.max(2, ExactMannWhitney.fewest(level / Math.max(1, candidates - 1)));
    }

    private static double medianNs(Map<TuneCandidate, List<Trial>> trials, TuneCandidate candidate) {
        return Trial.median(trials.getOrDefault(candidate, List.of()), Trial::objectiveNs);
    }

    private static double[] objectives(Map<TuneCandidate, List<Trial>> trials, TuneCandidate candidate) {
        return trials.getOrDefault(candidate, List.of()).stream()
                .mapToDouble(Trial::objectiveNs)
                .toArray();
    }

    private static double[] of(Map<TuneCandidate, double[]> objectives, TuneCandidate candidate) {
        return objectives.getOrDefault(candidate, new double[0]);
    }
}

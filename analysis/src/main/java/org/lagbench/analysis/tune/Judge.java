package org.lagbench.analysis.tune;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what the runs prove of each candidate.
 *
 * <p>A candidate is compared with every other candidate that satisfies the constraints, at level / (K − 1) for K
 * candidates (Bonferroni). It is worse if one test shows that it is greater by more than the indifference. So the
 * probability of excluding the best candidate is at most the level, however the candidates were chosen. A candidate is
 * tied only if the opposite test shows that it is not greater by more than the indifference than any remaining
 * candidate.
 */
record Judge(TuneCriteria criteria) {
    private static final double ALIKE = 0.05;
    private static final double FACTOR_OF_FEW_RUNS = 2;

    /** Returns the candidates that break a constraint: clearly, or by a test at their share of the level. */
    Set<TuneCandidate> infeasible(Map<TuneCandidate, List<Trial>> trials, double level) {
        Set<TuneCandidate> infeasible = new LinkedHashSet<>();
        trials.forEach((candidate, runs) -> {
            if (criteria.isClearlyBroken(runs) || criteria.isBroken(runs, level / trials.size())) {
                infeasible.add(candidate);
            }
        });
        return infeasible;
    }

    /**
     * Returns the verdicts on the remaining candidates.
     *
     * @param trials the trials of each, in the same rounds
     */
    Map<TuneCandidate, CandidateVerdict> judge(Map<TuneCandidate, List<Trial>> trials, double level) {
        double each = level / Math.max(1, trials.size() - 1);
        double factor = 1 + criteria.indifference();
        Map<TuneCandidate, double[]> feasible = new LinkedHashMap<>();
        trials.forEach((candidate, runs) -> {
            if (criteria.isKept(runs, each)) {
                feasible.put(candidate, Trial.objectivesNs(runs));
            }
        });
        Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
        Map<TuneCandidate, double[]> remaining = new LinkedHashMap<>();
        trials.forEach((candidate, runs) -> {
            double[] values = Trial.objectivesNs(runs);
            boolean isWorse = feasible.entrySet().stream()
                    .filter(other -> !other.getKey().equals(candidate))
                    .anyMatch(other -> ExactMannWhitney.greater(values, other.getValue(), factor) <= each);
            verdicts.put(candidate, isWorse ? CandidateVerdict.WORSE : CandidateVerdict.UNCLEAR);
            if (!isWorse) {
                remaining.put(candidate, values);
            }
        });
        remaining.forEach((candidate, values) -> {
            boolean isTied = feasible.containsKey(candidate)
                    && remaining.entrySet().stream()
                            .filter(other -> !other.getKey().equals(candidate))
                            .allMatch(other -> ExactMannWhitney.less(values, other.getValue(), factor) <= each);
            if (isTied) {
                verdicts.put(candidate, CandidateVerdict.TIED);
            }
        });
        return verdicts;
    }

    /**
     * Returns the candidate with the least median, and those that cannot be distinguished from it: their median is
     * within the indifference of it, or the 95 % interval of the ratio includes 1. With too few runs for an interval,
     * medians within a factor of two are not distinguished.
     */
    List<TuneCandidate> alike(Map<TuneCandidate, List<Trial>> trials) {
        Map<TuneCandidate, double[]> objectives = new LinkedHashMap<>();
        trials.forEach((candidate, runs) -> objectives.put(candidate, Trial.objectivesNs(runs)));
        double[] best = objectives.values().stream()
                .min(Comparator.comparingDouble(Trial::median))
                .orElse(new double[0]);
        return objectives.entrySet().stream()
                .filter(candidate -> isAlike(candidate.getValue(), best))
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean isAlike(double[] objectives, double[] best) {
        ConfidenceInterval ratio = ExactMannWhitney.shift(objectives, best, (x, y) -> x / y, ALIKE);
        double most = ratio.isBounded() ? 1 + criteria.indifference() : FACTOR_OF_FEW_RUNS;
        return Trial.median(objectives) <= most * Trial.median(best) || ratio.contains(1);
    }

    /** Returns the least number of runs of each of K candidates that can prove anything at a level. */
    static int fewestRounds(int candidates, double level) {
        return Math.max(2, ExactMannWhitney.fewest(level / Math.max(1, candidates - 1)));
    }
}

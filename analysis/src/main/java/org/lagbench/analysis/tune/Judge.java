package org.lagbench.analysis.tune;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the runs prove of each candidate. The constraints apply to all runs of a candidate. Two candidates are
 * compared by all rounds in which both were run.
 *
 * <p>A candidate is compared with every other candidate that satisfies the constraints, at level / (K − 1) for K
 * candidates (Bonferroni). It is worse if one test shows that it is greater by more than the indifference. So the
 * probability of excluding the best candidate is at most the level, however the candidates were chosen. A candidate is
 * tied only if the opposite test shows that it is not greater by more than the indifference than any remaining
 * candidate.
 */
record Judge(TuneCriteria criteria, TrialLog log) {
    private static final double ALIKE = 0.05;
    private static final double FACTOR_OF_FEW_RUNS = 2;

    /** The level of a claim that allows for repeated tests of many candidates. */
    private static final double SHARE = Tuner.LEVEL / DefaultComparison.MOST_ROUNDS;

    /** Returns the candidates that break a constraint: clearly, or by a test at their share of the level. */
    List<TuneCandidate> infeasible(Collection<TuneCandidate> candidates, double level) {
        return candidates.stream()
                .filter(candidate -> isBroken(candidate, level / candidates.size()))
                .toList();
    }

    /** Returns whether all runs of a candidate prove that it breaks a constraint. */
    boolean isBroken(TuneCandidate candidate) {
        return isBroken(candidate, SHARE);
    }

    private boolean isBroken(TuneCandidate candidate, double level) {
        List<Trial> runs = log.of(candidate);
        return criteria.isClearlyBroken(runs) || criteria.isBroken(runs, level);
    }

    /** Returns whether all runs of a candidate prove that it satisfies the constraints. */
    boolean isKept(TuneCandidate candidate, double level) {
        return criteria.isKept(log.of(candidate), level);
    }

    /** Returns the verdicts on the remaining candidates. */
    Map<TuneCandidate, CandidateVerdict> judge(Collection<TuneCandidate> candidates, double level) {
        double each = level / Math.max(1, candidates.size() - 1);
        List<TuneCandidate> feasible =
                candidates.stream().filter(one -> isKept(one, each)).toList();
        List<TuneCandidate> remaining =
                candidates.stream().filter(one -> !isWorse(one, feasible, each)).toList();
        Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
        for (TuneCandidate candidate : candidates) {
            boolean isTied = feasible.contains(candidate)
                    && others(candidate, remaining)
                            .allMatch(other -> ExactMannWhitney.less(
                                            log.besideNs(candidate, other), log.besideNs(other, candidate), factor())
                                    <= each);
            verdicts.put(
                    candidate,
                    !remaining.contains(candidate)
                            ? CandidateVerdict.WORSE
                            : isTied ? CandidateVerdict.TIED : CandidateVerdict.UNCLEAR);
        }
        return verdicts;
    }

    private boolean isWorse(TuneCandidate candidate, Collection<TuneCandidate> kept, double level) {
        return others(candidate, kept)
                .anyMatch(other -> ExactMannWhitney.greater(
                                log.besideNs(candidate, other), log.besideNs(other, candidate), factor())
                        <= level);
    }

    private static Stream<TuneCandidate> others(TuneCandidate candidate, Collection<TuneCandidate> all) {
        return all.stream().filter(other -> !other.equals(candidate));
    }

    private double factor() {
        return 1 + criteria.indifference();
    }

    /**
     * Returns the verdict on each candidate by all its runs: what the search has proven, if all runs agree with it. The
     * comparison with today's default has separate runs, which the selection did not bias; where they exist, they
     * decide between the two.
     *
     * @param proven what the search has proven of each
     * @param winner the candidate that was compared with today's default; null if there is none
     */
    Map<TuneCandidate, CandidateVerdict> finalVerdicts(
            Map<TuneCandidate, CandidateVerdict> proven, @Nullable TuneCandidate winner, DefaultComparison comparison) {
        Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
        List<TuneCandidate> kept = log.candidates().stream()
                .filter(candidate -> isKept(candidate, Tuner.LEVEL))
                .toList();
        for (TuneCandidate candidate : log.candidates()) {
            verdicts.put(
                    candidate, confirmed(candidate, proven.getOrDefault(candidate, CandidateVerdict.UNCLEAR), kept));
        }
        if (winner != null
                && comparison.runs() > 0
                && verdicts.get(TuneCandidate.DEFAULT) != CandidateVerdict.INFEASIBLE) {
            boolean isSame = comparison.isSame(criteria.indifference());
            boolean isDefaultKept = kept.contains(TuneCandidate.DEFAULT);
            verdicts.put(
                    TuneCandidate.DEFAULT,
                    comparison.isGain() && !isSame
                            ? CandidateVerdict.WORSE
                            : isDefaultKept && (isSame || comparison.isLoss())
                                    ? CandidateVerdict.TIED
                                    : CandidateVerdict.UNCLEAR);
            if (isDefaultKept && comparison.isLoss() && !isSame) {
                verdicts.replace(winner, CandidateVerdict.TIED, CandidateVerdict.WORSE);
            }
        }
        return verdicts;
    }

    /** Confirming an earlier proof takes no share of the error probability; a new claim does. */
    private CandidateVerdict confirmed(TuneCandidate candidate, CandidateVerdict proven, List<TuneCandidate> kept) {
        if (isBroken(candidate, proven == CandidateVerdict.INFEASIBLE ? Tuner.LEVEL : SHARE)) {
            return CandidateVerdict.INFEASIBLE;
        }
        boolean isConfirmed =
                switch (proven) {
                    case WORSE -> isWorse(candidate, kept, Tuner.LEVEL);
                    case TIED -> kept.contains(candidate) && !isWorse(candidate, kept, SHARE);
                    case INFEASIBLE, UNCLEAR -> false;
                };
        return isConfirmed ? proven : CandidateVerdict.UNCLEAR;
    }

    /**
     * Returns the candidate with the least median after a round, and those that cannot be distinguished from it: their
     * median is within the indifference of it, or the 95 % interval of the ratio includes 1. With too few runs for an
     * interval, medians within a factor of two are not distinguished.
     */
    List<TuneCandidate> alike(Collection<TuneCandidate> candidates, int sinceRound) {
        Map<TuneCandidate, double[]> objectives = new LinkedHashMap<>();
        candidates.forEach(
                candidate -> objectives.put(candidate, Trial.objectivesNs(log.since(sinceRound, candidate))));
        double[] best = objectives.values().stream()
                .min(Comparator.comparingDouble(Trial::median))
                .orElse(new double[0]);
        return candidates.stream()
                .filter(candidate -> isAlike(objectives.getOrDefault(candidate, best), best))
                .toList();
    }

    private boolean isAlike(double[] objectives, double[] best) {
        ConfidenceInterval ratio = ExactMannWhitney.shift(objectives, best, (x, y) -> x / y, ALIKE);
        double most = ratio.isBounded() ? factor() : FACTOR_OF_FEW_RUNS;
        return Trial.median(objectives) <= most * Trial.median(best) || ratio.contains(1);
    }

    /** Returns the least number of runs of each of K candidates that can prove anything at a level. */
    static int fewestRounds(int candidates, double level) {
        return Math.max(2, ExactMannWhitney.fewest(level / Math.max(1, candidates - 1)));
    }
}

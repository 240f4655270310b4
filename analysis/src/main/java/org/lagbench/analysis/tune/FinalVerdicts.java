package org.lagbench.analysis.tune;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of each candidate by all its runs: what the search has proven, if its runs in all stages agree with it.
 *
 * <p>The constraints apply to all runs of a candidate. Two candidates are compared by all rounds in which both were
 * run, so that a machine that becomes slower does not decide. The comparison with today's default has separate runs,
 * which the selection did not bias; where they exist, they decide between the two.
 */
final class FinalVerdicts {
    private static final double SHARE = Tuner.LEVEL / ConfirmationStage.MOST_ROUNDS;

    private final TuneCriteria criteria;
    private final TrialLog log;

    FinalVerdicts(TuneCriteria criteria, TrialLog log) {
        this.criteria = criteria;
        this.log = log;
    }

    /**
     * Returns the verdict of each candidate that was run.
     *
     * @param proven what the search has proven of each
     * @param winner the candidate that was compared with today's default; null if there is none
     */
    Map<TuneCandidate, CandidateVerdict> of(
            Map<TuneCandidate, CandidateVerdict> proven, @Nullable TuneCandidate winner, DefaultComparison comparison) {
        Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
        List<TuneCandidate> kept =
                log.candidates().stream().filter(this::isKept).toList();
        log.candidates()
                .forEach(candidate -> verdicts.put(
                        candidate, verdict(candidate, proven.getOrDefault(candidate, CandidateVerdict.UNCLEAR), kept)));
        if (winner != null && comparison.runs() > 0) {
            compare(winner, comparison, kept.contains(TuneCandidate.DEFAULT), verdicts);
        }
        return verdicts;
    }

    /**
     * Returns whether all runs of a candidate prove that it breaks a constraint, at a level that allows for repeated
     * tests of many candidates.
     */
    boolean isBroken(TuneCandidate candidate) {
        return isBroken(candidate, SHARE);
    }

    private boolean isBroken(TuneCandidate candidate, double level) {
        List<Trial> runs = log.of(candidate);
        return criteria.isClearlyBroken(runs) || criteria.isBroken(runs, level);
    }

    private boolean isKept(TuneCandidate candidate) {
        return criteria.isKept(log.of(candidate), Tuner.LEVEL);
    }

    private CandidateVerdict verdict(TuneCandidate candidate, CandidateVerdict proven, Collection<TuneCandidate> kept) {
        // confirming an earlier proof takes no share of the error probability; a new claim does
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

    private boolean isWorse(TuneCandidate candidate, Collection<TuneCandidate> kept, double level) {
        double factor = 1 + criteria.indifference();
        return kept.stream()
                .filter(other -> !other.equals(candidate))
                .anyMatch(other ->
                        ExactMannWhitney.greater(log.besideNs(candidate, other), log.besideNs(other, candidate), factor)
                                <= level);
    }

    /** Sets the verdicts on today's default and the winner by the runs of their comparison. */
    private void compare(
            TuneCandidate winner,
            DefaultComparison comparison,
            boolean isDefaultKept,
            Map<TuneCandidate, CandidateVerdict> verdicts) {
        if (verdicts.get(TuneCandidate.DEFAULT) == CandidateVerdict.INFEASIBLE) {
            return;
        }
        boolean isSame = comparison.isSame(criteria.indifference());
        CandidateVerdict verdict = CandidateVerdict.UNCLEAR;
        if (comparison.isGain() && !isSame) {
            verdict = CandidateVerdict.WORSE;
        } else if (isDefaultKept && (isSame || comparison.isLoss())) {
            verdict = CandidateVerdict.TIED;
        }
        verdicts.put(TuneCandidate.DEFAULT, verdict);
        if (isDefaultKept && comparison.isLoss() && !isSame) {
            verdicts.replace(winner, CandidateVerdict.TIED, CandidateVerdict.WORSE);
        }
    }
}

package org.lagbench.analysis.tune;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;

/** The candidates that a tuning still runs, and what its trials have proven of all. Not thread-safe. */
final class Contenders {
    private final TrialLog log;
    private final TuneCriteria criteria;
    private final Comparator<TuneCandidate> smallerFirst;
    private final Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
    private final Set<TuneCandidate> contenders = new LinkedHashSet<>();
    private int evaluations;

    Contenders(TrialLog log, TuneCriteria criteria, Comparator<TuneCandidate> smallerFirst) {
        this.log = log;
        this.criteria = criteria;
        this.smallerFirst = smallerFirst;
    }

    /** Replaces the contenders; verdicts on others stay. */
    void replace(List<TuneCandidate> candidates) {
        contenders.clear();
        contenders.addAll(candidates);
    }

    /** Makes the verdict on each contender {@link CandidateVerdict#UNDECIDED}. */
    void reopen() {
        contenders.forEach(candidate -> verdicts.put(candidate, CandidateVerdict.UNDECIDED));
    }

    /** Returns the contenders in the order in which they were added. */
    List<TuneCandidate> list() {
        return List.copyOf(contenders);
    }

    /** Returns the verdicts on all candidates that were contenders, as a view. */
    Map<TuneCandidate, CandidateVerdict> verdicts() {
        return Collections.unmodifiableMap(verdicts);
    }

    /** Drops a candidate that is proven to break a constraint. */
    void dropBroken(TuneCandidate candidate) {
        drop(CandidateVerdict.INFEASIBLE, candidate::equals);
        verdicts.put(candidate, CandidateVerdict.INFEASIBLE);
    }

    /** Drops those that break a constraint so clearly that no test is needed. */
    void dropClearlyBroken() {
        drop(CandidateVerdict.INFEASIBLE, candidate -> criteria.isClearlyBroken(log.of(candidate)));
    }

    /** Drops those that are proven to break a constraint or to be worse, and decides which of the others are tied. */
    void evaluate() {
        evaluations++;
        double level = level(evaluations, contenders.size());
        drop(CandidateVerdict.INFEASIBLE, candidate -> criteria.isBroken(log.of(candidate), level));
        List<TuneCandidate> kept = contenders.stream()
                .filter(candidate -> criteria.isKept(log.of(candidate), level))
                .toList();
        drop(CandidateVerdict.WORSE, candidate -> kept.stream()
                .anyMatch(other -> log.isWorse(candidate, other, level)));
        for (TuneCandidate candidate : contenders) {
            boolean isTied = kept.contains(candidate)
                    && contenders.stream()
                            .allMatch(other -> other.equals(candidate) || log.isAsGood(candidate, other, level));
            verdicts.put(candidate, isTied ? CandidateVerdict.TIED : CandidateVerdict.UNDECIDED);
        }
    }

    /** Returns the error probability of a proof in the n-th evaluation of some contenders. */
    static double level(int evaluation, int contenders) {
        return TuneSearch.LEVEL / (evaluation * (evaluation + 1.0)) / 2 / Math.max(1, contenders - 1);
    }

    /** Returns the smallest contender that is tied; it is decided if no smaller one is unclear. */
    Optional<TuneCandidate> smallestTied() {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.TIED)
                .min(smallerFirst);
    }

    /** Returns the undecided contenders that are smaller than a candidate. */
    List<TuneCandidate> smallerUnclear(TuneCandidate than) {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.UNDECIDED
                        && smallerFirst.compare(candidate, than) < 0)
                .toList();
    }

    private void drop(CandidateVerdict verdict, Predicate<TuneCandidate> isDropped) {
        List<TuneCandidate> dropped = contenders.stream().filter(isDropped).toList();
        dropped.forEach(candidate -> verdicts.put(candidate, verdict));
        dropped.forEach(contenders::remove);
    }
}

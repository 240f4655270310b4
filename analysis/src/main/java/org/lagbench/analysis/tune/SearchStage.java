package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search among some candidates, round after round until the winner is decided. Candidates that are proven to break a
 * constraint or to be worse are no longer run, except today's default.
 *
 * <p>Because repeated evaluation makes errors likelier, each evaluation may use half of the error probability that the
 * earlier ones left. The first is made as soon as it can prove anything. The number of rounds between evaluations grows
 * by a third.
 */
final class SearchStage {
    private static final int MOST_ROUNDS = 24;
    private static final double CONSTRAINTS = 0.2;
    private static final int FIRST_CONSTRAINT_ROUND = 2;
    private static final double GROWTH = 4.0 / 3;

    private final Judge judge;
    private final Comparator<TuneCandidate> smallerFirst;
    private final double level;
    private final Map<TuneCandidate, List<Trial>> trials = new LinkedHashMap<>();
    private final Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
    private final Set<TuneCandidate> contenders = new LinkedHashSet<>();
    private int rounds;
    private int nextEvaluation;
    private int evaluations;
    private @Nullable TuneCandidate winner;
    private boolean isOver;

    /** @param level the probability that the best candidate is excluded, or a candidate is wrongly tied */
    SearchStage(List<TuneCandidate> candidates, Judge judge, Comparator<TuneCandidate> smallerFirst, double level) {
        this.judge = judge;
        this.smallerFirst = smallerFirst;
        this.level = level;
        contenders.addAll(candidates);
        candidates.forEach(candidate -> verdicts.put(candidate, CandidateVerdict.UNCLEAR));
        nextEvaluation = fewestRounds();
    }

    List<TuneCandidate> round() {
        Set<TuneCandidate> round = new LinkedHashSet<>(contenders);
        round.add(TuneCandidate.DEFAULT);
        return List.copyOf(round);
    }

    void add(TuneCandidate candidate, Trial trial) {
        trials.computeIfAbsent(candidate, one -> new ArrayList<>()).add(trial);
    }

    /** Evaluates a completed round. */
    void endRound() {
        rounds++;
        if (rounds >= FIRST_CONSTRAINT_ROUND) {
            double share = Math.pow(0.5, Math.max(1, rounds - FIRST_CONSTRAINT_ROUND));
            for (TuneCandidate candidate : judge.infeasible(contenderTrials(), CONSTRAINTS * level * share)) {
                verdicts.put(candidate, CandidateVerdict.INFEASIBLE);
                contenders.remove(candidate);
            }
            if (evaluations == 0) {
                nextEvaluation = fewestRounds(); // fewer contenders need fewer comparisons
            }
        }
        if (rounds >= nextEvaluation || contenders.isEmpty()) {
            evaluate();
            nextEvaluation = Math.max((int) Math.ceil(rounds * GROWTH), fewestRounds());
        }
        if (rounds >= MOST_ROUNDS || contenders.isEmpty()) {
            end();
        }
    }

    /** Ends the search, decided or not. */
    void end() {
        if (!isOver) {
            evaluate();
            isOver = true;
        }
    }

    /** Returns whether no more rounds follow. */
    boolean isOver() {
        return isOver;
    }

    /** Returns whether the winner is proven. */
    boolean isDecided() {
        return winner != null;
    }

    /** Returns the smallest candidate that is proven to be tied; until then, the smallest of {@link #alike}. */
    Optional<TuneCandidate> winner() {
        return winner != null ? Optional.of(winner) : alike().stream().min(smallerFirst);
    }

    /**
     * Returns the candidates that satisfy the constraints and cannot be distinguished from the one with the least
     * median, so far. Today's default is included only if it is the only one.
     */
    List<TuneCandidate> alike() {
        Map<TuneCandidate, List<Trial>> kept = contenderTrials();
        kept.values().removeIf(runs -> runs.isEmpty() || !judge.criteria().isKept(runs, level));
        if (kept.size() > 1) {
            kept.remove(TuneCandidate.DEFAULT);
        }
        return judge.alike(kept);
    }

    Map<TuneCandidate, CandidateVerdict> verdicts() {
        return verdicts;
    }

    /** Returns the undecided contenders that are smaller than a candidate. */
    List<TuneCandidate> smallerUnclear(TuneCandidate than) {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.UNCLEAR
                        && smallerFirst.compare(candidate, than) < 0)
                .toList();
    }

    private void evaluate() {
        if (contenders.isEmpty()) {
            return;
        }
        verdicts.putAll(judge.judge(contenderTrials(), evaluationLevel()));
        evaluations++;
        contenders.removeIf(candidate -> verdicts.get(candidate) == CandidateVerdict.WORSE);
        contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.TIED)
                .min(smallerFirst)
                .filter(smallest -> smallerUnclear(smallest).isEmpty())
                .ifPresent(smallest -> {
                    winner = smallest;
                    isOver = true;
                });
    }

    private int fewestRounds() {
        return Judge.fewestRounds(contenders.size(), evaluationLevel());
    }

    private double evaluationLevel() {
        return (1 - CONSTRAINTS) * level * Math.pow(0.5, evaluations + 1.0);
    }

    private Map<TuneCandidate, List<Trial>> contenderTrials() {
        Map<TuneCandidate, List<Trial>> remaining = new LinkedHashMap<>();
        contenders.forEach(candidate -> remaining.put(candidate, trials.getOrDefault(candidate, List.of())));
        return remaining;
    }
}

package org.lagbench.analysis.tune;

import java.util.Collection;
import java.util.Comparator;
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
    private final Map<TuneCandidate, CandidateVerdict> verdicts;
    private final Set<TuneCandidate> contenders;

    /** The last round before the stage. */
    private final int beganAfter;

    private int nextEvaluation;
    private int evaluations;
    private @Nullable TuneCandidate winner;
    private boolean isOver;

    /**
     * Begins a stage.
     *
     * @param verdicts those of the tune, to which the stage adds its own
     * @param level the probability that the best candidate is excluded, or a candidate is wrongly tied
     */
    SearchStage(
            Collection<TuneCandidate> candidates,
            Judge judge,
            Map<TuneCandidate, CandidateVerdict> verdicts,
            Comparator<TuneCandidate> smallerFirst,
            double level) {
        this.judge = judge;
        this.smallerFirst = smallerFirst;
        this.level = level;
        this.verdicts = verdicts;
        this.beganAfter = judge.log().round();
        contenders = new LinkedHashSet<>(candidates);
        contenders.add(TuneCandidate.DEFAULT);
        contenders.forEach(candidate -> verdicts.put(candidate, CandidateVerdict.UNCLEAR));
        nextEvaluation = fewestRounds();
    }

    List<TuneCandidate> round() {
        Set<TuneCandidate> round = new LinkedHashSet<>(contenders);
        round.add(TuneCandidate.DEFAULT);
        return List.copyOf(round);
    }

    /** Evaluates a completed round. */
    void endRound() {
        int rounds = judge.log().round() - beganAfter;
        if (rounds >= FIRST_CONSTRAINT_ROUND) {
            double share = Math.pow(0.5, Math.max(1, rounds - FIRST_CONSTRAINT_ROUND));
            for (TuneCandidate candidate : judge.infeasible(contenders, CONSTRAINTS * level * share)) {
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
        List<TuneCandidate> kept = contenders.stream()
                .filter(candidate -> !judge.log().since(beganAfter, candidate).isEmpty())
                .filter(candidate -> judge.isKept(candidate, level))
                .toList();
        return judge.alike(
                kept.stream()
                        .filter(candidate -> kept.size() == 1 || !candidate.isDefault())
                        .toList(),
                beganAfter);
    }

    /** Returns the undecided contenders that are smaller than a candidate. */
    List<TuneCandidate> smallerUnclear(TuneCandidate than) {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.UNCLEAR
                        && smallerFirst.compare(candidate, than) < 0)
                .toList();
    }

    private void evaluate() {
        verdicts.putAll(judge.judge(contenders, evaluationLevel()));
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
}

package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs of the recommended candidate and of today's default, made for their comparison alone, so that the selection does
 * not bias it.
 *
 * <p>It is evaluated after {@value #FIRST_ROUNDS} rounds, and after each doubling up to {@value #MOST_ROUNDS}, until
 * one is proven to be better or both to be the same. Because repeated evaluation makes errors likelier, each may use
 * half of the error probability that the earlier ones left, and the last all of it.
 */
final class ConfirmationStage {
    /** The number of rounds before the first evaluation. */
    static final int FIRST_ROUNDS = 8;

    /** The greatest number of rounds. */
    static final int MOST_ROUNDS = 32;

    private final TuneCandidate recommended;
    private final double indifference;
    private final List<Trial> ofRecommended = new ArrayList<>();
    private final List<Trial> ofDefault = new ArrayList<>();

    /** @param indifference by what share objectives may differ and still count as the same */
    ConfirmationStage(TuneCandidate recommended, double indifference) {
        this.recommended = recommended;
        this.indifference = indifference;
    }

    List<TuneCandidate> round() {
        return List.of(recommended, TuneCandidate.DEFAULT);
    }

    void add(TuneCandidate candidate, Trial trial) {
        (candidate.isDefault() ? ofDefault : ofRecommended).add(trial);
    }

    /** Returns whether complete rounds have proven something, or no more rounds follow. */
    boolean isOver() {
        int rounds = rounds();
        if (rounds < FIRST_ROUNDS || rounds >= MOST_ROUNDS || Integer.bitCount(rounds) != 1) {
            return rounds >= MOST_ROUNDS;
        }
        DefaultComparison comparison = comparison();
        return comparison.isGain() || comparison.isLoss() || comparison.isSame(indifference);
    }

    /** Returns the comparison so far. */
    DefaultComparison comparison() {
        double level = Tuner.LEVEL;
        for (int evaluated = FIRST_ROUNDS; evaluated < Math.min(rounds(), MOST_ROUNDS); evaluated *= 2) {
            level /= 2;
        }
        return DefaultComparison.of(ofDefault, ofRecommended, rounds() > MOST_ROUNDS / 2 ? level : level / 2);
    }

    private int rounds() {
        return Math.min(ofRecommended.size(), ofDefault.size());
    }
}

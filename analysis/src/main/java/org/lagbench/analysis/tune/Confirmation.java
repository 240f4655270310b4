package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs of what is recommended and of today's default that are made for their comparison alone, so that the choice does
 * not flatter what was chosen.
 *
 * <p>It looks after {@value #FIRST_ROUNDS} rounds, and after twice as many again and again up to {@value #MOST_ROUNDS},
 * until either is proven to be better or both to be the same. Looking again makes errors likelier: each look gets half
 * of what those before have left of the level, the last one all of it.
 */
final class Confirmation {
    /** How many rounds there are before the first look. */
    static final int FIRST_ROUNDS = 8;

    private static final int MOST_ROUNDS = 32;

    private final TuneCandidate recommended;
    private final double indifference;
    private final List<Trial> ofRecommended = new ArrayList<>();
    private final List<Trial> ofDefault = new ArrayList<>();

    /**
     * Of a candidate.
     *
     * @param indifference by what share an objective may be greater and still count as the same
     */
    Confirmation(TuneCandidate recommended, double indifference) {
        this.recommended = recommended;
        this.indifference = indifference;
    }

    /** What a round runs. */
    List<TuneCandidate> round() {
        return List.of(recommended, TuneCandidate.DEFAULT);
    }

    void add(TuneCandidate candidate, Trial trial) {
        (candidate.isDefault() ? ofDefault : ofRecommended).add(trial);
    }

    /** Whether a whole number of rounds has proven something, or there have been enough. */
    boolean isOver() {
        int rounds = Math.min(ofRecommended.size(), ofDefault.size());
        return rounds >= MOST_ROUNDS || (rounds >= FIRST_ROUNDS && Integer.bitCount(rounds) == 1 && tells());
    }

    private boolean tells() {
        DefaultComparison comparison = comparison();
        return comparison.isGain() || comparison.isLoss() || comparison.isSame(indifference);
    }

    /** As far as is known. */
    DefaultComparison comparison() {
        return DefaultComparison.of(ofDefault, ofRecommended, level());
    }

    private double level() {
        double left = Tuner.LEVEL;
        int rounds = Math.min(ofRecommended.size(), ofDefault.size());
        for (int look = FIRST_ROUNDS; look < rounds && look < MOST_ROUNDS; look *= 2) {
            left /= 2;
        }
        return rounds > MOST_ROUNDS / 2 ? left : left / 2;
    }
}

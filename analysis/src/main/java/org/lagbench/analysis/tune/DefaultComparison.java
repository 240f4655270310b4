package org.lagbench.analysis.tune;

import java.util.List;

/**
 * The comparison of the recommended candidate with today's default, by runs that were made for it alone, so that the
 * selection does not bias it.
 *
 * <p>It is evaluated after {@value #FIRST_ROUNDS} rounds, and after each doubling up to {@value #MOST_ROUNDS}, until
 * one is proven to be better or both to be the same. Because repeated evaluation makes errors likelier, each may use
 * half of the error probability that the earlier ones left, and the last all of it.
 *
 * @param runs number of runs of each
 * @param defaultNs median of the default's objective over its runs, in ns; NaN if there are none
 * @param recommendedNs the same of the recommended candidate
 * @param factor ratio of the default's objective to the recommended one, with its interval of 95 % or more
 * @param differenceNs their difference in ns, likewise
 */
public record DefaultComparison(
        int runs, double defaultNs, double recommendedNs, ConfidenceInterval factor, ConfidenceInterval differenceNs) {
    /** The comparison without any run. */
    public static final DefaultComparison NONE = of(List.of(), List.of());

    /** The number of rounds before the first evaluation. */
    static final int FIRST_ROUNDS = 8;

    /** The greatest number of rounds. */
    static final int MOST_ROUNDS = 32;

    /** Compares runs of today's default with runs of the recommendation. */
    static DefaultComparison of(List<Trial> defaults, List<Trial> recommended) {
        int runs = Math.min(defaults.size(), recommended.size());
        double level = Tuner.LEVEL;
        for (int evaluated = FIRST_ROUNDS; evaluated < Math.min(runs, MOST_ROUNDS); evaluated *= 2) {
            level /= 2;
        }
        level = runs > MOST_ROUNDS / 2 ? level : level / 2;
        double[] a = Trial.objectivesNs(defaults);
        double[] b = Trial.objectivesNs(recommended);
        return new DefaultComparison(
                runs,
                Trial.median(a),
                Trial.median(b),
                ExactMannWhitney.shift(a, b, (x, y) -> x / y, level),
                ExactMannWhitney.shift(a, b, (x, y) -> x - y, level));
    }

    /** Returns whether complete rounds have proven something, or no more rounds follow. */
    boolean isOver(double indifference) {
        boolean isEvaluated = runs >= FIRST_ROUNDS && Integer.bitCount(runs) == 1;
        return runs >= MOST_ROUNDS || (isEvaluated && (isGain() || isLoss() || isSame(indifference)));
    }

    /** Returns whether the default is proven to be worse. */
    public boolean isGain() {
        return factor.low() > 1;
    }

    /** Returns whether the default is proven to be better. */
    public boolean isLoss() {
        return factor.high() < 1;
    }

    /** Returns whether both are proven to differ by no more than a share. */
    public boolean isSame(double indifference) {
        return factor.high() <= 1 + indifference && factor.low() >= 1 / (1 + indifference);
    }
}

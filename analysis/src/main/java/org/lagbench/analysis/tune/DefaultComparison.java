package org.lagbench.analysis.tune;

import java.util.List;

/**
 * The comparison of the recommended candidate with today's default, by runs that were made for it alone.
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
    public static final DefaultComparison NONE = of(List.of(), List.of(), 1);

    /**
     * Compares runs of today's defaults with runs of the recommendation. Intervals have a confidence of at least 1 −
     * {@code level}.
     */
    static DefaultComparison of(List<Trial> defaults, List<Trial> recommended, double level) {
        double[] a = Trial.objectivesNs(defaults);
        double[] b = Trial.objectivesNs(recommended);
        return new DefaultComparison(
                Math.min(a.length, b.length),
                Trial.median(a),
                Trial.median(b),
                ExactMannWhitney.shift(a, b, (x, y) -> x / y, level),
                ExactMannWhitney.shift(a, b, (x, y) -> x - y, level));
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

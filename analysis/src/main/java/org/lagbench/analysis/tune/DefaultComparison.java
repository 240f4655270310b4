package org.lagbench.analysis.tune;

import java.util.List;

/**
 * Today's default beside what is recommended, by the runs that were made for that alone.
 *
 * @param runs how many of each
 * @param defaultNs median of the default's objective over its runs, in ns; NaN if there are none
 * @param recommendedNs the same of what is recommended
 * @param factor by what the default's is greater, with its interval of 95 % or more
 * @param differenceNs by how many ns, likewise
 */
public record DefaultComparison(
        int runs, double defaultNs, double recommendedNs, ConfidenceInterval factor, ConfidenceInterval differenceNs) {
    /** Of no runs. */
    public static final DefaultComparison NONE = of(List.of(), List.of(), 1);

    /** With intervals of confidence 1 − level or more. */
    static DefaultComparison of(List<Trial> defaults, List<Trial> recommended, double level) {
        double[] a = defaults.stream().mapToDouble(Trial::objectiveNs).toArray();
        double[] b = recommended.stream().mapToDouble(Trial::objectiveNs).toArray();
        return new DefaultComparison(
                Math.min(a.length, b.length),
                Trial.median(defaults, Trial::objectiveNs),
                Trial.median(recommended, Trial::objectiveNs),
                ExactMannWhitney.shift(a, b, (x, y) -> x / y, level),
                ExactMannWhitney.shift(a, b, (x, y) -> x - y, level));
    }

    /** Whether the default is proven to be worse, by however little. */
    public boolean isGain() {
        return factor.low() > 1;
    }

    /** Whether the default is proven to be better: what was recommended looked good by chance. */
    public boolean isLoss() {
        return factor.high() < 1;
    }

    /** Whether neither is worse by more than that share, as is proven. */
    public boolean isSame(double indifference) {
        return factor.high() <= 1 + indifference && factor.low() >= 1 / (1 + indifference);
    }
}

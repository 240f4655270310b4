package org.lagbench.analysis.comparison;

import static org.lagbench.analysis.comparison.Verdict.UNDECIDED;

import java.util.Arrays;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.lagbench.analysis.statistics.Interval;

/** Tests of ratios: what their intervals and signs show. */
public final class RatioTest {
    private RatioTest() {}

    /**
     * Returns what ratios show; with fewer than {@value Interval#MIN_OF_MEDIAN}, nothing.
     *
     * @param ratios the ratio in each repeat
     * @param margin ratios from 1/(1 + margin) to 1 + margin are equivalent
     * @param doubt the maximum error of the logarithm for reasons other than the differences of the repeats
     * @param smallerIsBetter whether ratios below 1 are better
     */
    public static Verdict verdict(double[] ratios, double margin, double doubt, boolean smallerIsBetter) {
        return verdict(Interval.ofMedian(ratios), nonEquivalence(ratios, margin, doubt), doubt, smallerIsBetter);
    }

    static Verdict verdict(Interval ratio, double nonEquivalence, double doubt, boolean smallerIsBetter) {
        if (!ratio.hasEnds()) {
            return UNDECIDED;
        }
        if (nonEquivalence <= 1 - Interval.CONFIDENCE) {
            return Verdict.EQUIVALENT;
        }
        if (Math.log(ratio.high()) + doubt < 0) {
            return smallerIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
        if (Math.log(ratio.low()) - doubt > 0) {
            return smallerIsBetter ? Verdict.WORSE : Verdict.BETTER;
        }
        return UNDECIDED;
    }

    /**
     * Returns the p-value of the hypothesis that the median ratio is outside of the margin: the greater one of two
     * one-sided sign tests (Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", J.
     * Pharmacokinetics and Biopharmaceutics 15, 1987).
     *
     * @param ratios the ratio in each repeat
     * @param margin ratios from 1/(1 + margin) to 1 + margin are within
     * @param doubt the maximum error of the logarithm for reasons other than the differences of the repeats
     * @return NaN if there are fewer than {@value Interval#MIN_OF_MEDIAN} repeats
     */
    static double nonEquivalence(double[] ratios, double margin, double doubt) {
        if (ratios.length < Interval.MIN_OF_MEDIAN) {
            return Double.NaN;
        }
        double bound = Math.log1p(margin) - doubt;
        long above =
                Arrays.stream(ratios).filter(ratio -> Math.log(ratio) >= bound).count();
        long below =
                Arrays.stream(ratios).filter(ratio -> -Math.log(ratio) >= bound).count();
        return new BinomialDistribution(null, ratios.length, .5).cumulativeProbability((int) Math.max(above, below));
    }

    /**
     * Returns what a difference shows where there is no ratio, because a value is 0 or less. Clocks may be further
     * apart than it, so that it shows nothing of what depends on them.
     */
    static Verdict ofDifference(Interval difference, boolean needsCommonClock, boolean smallerIsBetter) {
        if (needsCommonClock || !(difference.low() > 0 || difference.high() < 0)) {
            return UNDECIDED;
        }
        return difference.low() > 0 == smallerIsBetter ? Verdict.WORSE : Verdict.BETTER;
    }
}

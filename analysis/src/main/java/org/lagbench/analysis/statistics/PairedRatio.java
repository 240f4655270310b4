package org.lagbench.analysis.statistics;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of durations measured together to durations measured alone, from pairs in ns: the geometric mean of the
 * pairs' ratios, with a 95 % interval by Student's t of their logarithms. A pair is one repeat, since values within a
 * repeat are correlated.
 *
 * @param aloneNs geometric mean of the durations alone
 * @param togetherNs geometric mean of the durations together; {@code togetherNs / aloneNs} is the ratio
 * @param ratio geometric mean of the ratios
 * @param ratioLow lower end of the interval; null if there is only one pair
 * @param ratioHigh upper end of the interval; null if there is only one pair
 */
public record PairedRatio(
        double aloneNs, double togetherNs, double ratio, @Nullable Double ratioLow, @Nullable Double ratioHigh) {
    private static final double CONFIDENCE = 0.95;

    /** The durations of one repeat. */
    public record Pair(double aloneNs, double togetherNs) {}

    /** Returns the ratio; null if there is no pair or a duration is not positive. */
    public static @Nullable PairedRatio of(List<Pair> pairs) {
        if (pairs.isEmpty() || !pairs.stream().allMatch(pair -> pair.aloneNs() > 0 && pair.togetherNs() > 0)) {
            return null;
        }
        SummaryStatistics logsAlone = new SummaryStatistics();
        SummaryStatistics logsOfRatio = new SummaryStatistics();
        for (Pair pair : pairs) {
            logsAlone.addValue(Math.log(pair.aloneNs()));
            logsOfRatio.addValue(Math.log(pair.togetherNs() / pair.aloneNs()));
        }
        double mean = logsOfRatio.getMean();
        double aloneNs = Math.exp(logsAlone.getMean());
        double ratio = Math.exp(mean);
        if (pairs.size() < 2) {
            return new PairedRatio(aloneNs, aloneNs * ratio, ratio, null, null);
        }
        double half = new TDistribution(pairs.size() - 1.0).inverseCumulativeProbability((1 + CONFIDENCE) / 2)
                * logsOfRatio.getStandardDeviation()
                / Math.sqrt(pairs.size());
        return new PairedRatio(aloneNs, aloneNs * ratio, ratio, Math.exp(mean - half), Math.exp(mean + half));
    }
}

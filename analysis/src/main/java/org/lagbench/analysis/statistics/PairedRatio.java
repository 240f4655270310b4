package org.lagbench.analysis.statistics;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * How many times as great a duration is among others as alone, by pairs of durations in ns: the geometric mean of the
 * pairs' ratios, and its 95 % interval by Student's t of their logarithms. The pairs are what repeats, so that values
 * within one, which follow each other and are alike, do not make the interval narrower than it is.
 *
 * @param aloneNs geometric mean of the durations alone
 * @param togetherNs geometric mean of the durations among others; {@code togetherNs / aloneNs} is the ratio
 * @param ratio geometric mean of the ratios
 * @param ratioLow lower end of the interval; null for want of a second pair
 * @param ratioHigh upper end of the interval, likewise
 */
public record PairedRatio(
        double aloneNs, double togetherNs, double ratio, @Nullable Double ratioLow, @Nullable Double ratioHigh) {
    private static final double CONFIDENCE = 0.95;

    /** Two durations that belong together. */
    public record Pair(double aloneNs, double togetherNs) {}

    /** The ratio of these pairs; null if there is none, or one is not positive, which a ratio says nothing of. */
    public static @Nullable PairedRatio of(List<Pair> pairs) {
        if (pairs.isEmpty() || !pairs.stream().allMatch(pair -> pair.aloneNs() > 0 && pair.togetherNs() > 0)) {
            return null;
        }
        SummaryStatistics logsBefore = new SummaryStatistics();
        SummaryStatistics logsOfRatio = new SummaryStatistics();
        for (Pair pair : pairs) {
            logsBefore.addValue(Math.log(pair.aloneNs()));
            logsOfRatio.addValue(Math.log(pair.togetherNs() / pair.aloneNs()));
        }
        double mean = logsOfRatio.getMean();
        double aloneNs = Math.exp(logsBefore.getMean());
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

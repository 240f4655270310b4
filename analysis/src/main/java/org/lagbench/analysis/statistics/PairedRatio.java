package org.lagbench.analysis.statistics;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * How many times as great something is in one circumstance as in another, told by pairs of figures: the geometric mean
 * of the pairs' ratios, and its 95 % interval by Student's t of their logarithms. The pairs are what repeats, so that
 * values within one, which follow each other and are alike, do not make the interval narrower than it is.
 *
 * @param pairs how many pairs
 * @param before geometric mean of the first figures
 * @param after geometric mean of the second; {@code after / before} is the ratio
 * @param ratio geometric mean of the ratios
 * @param low lower end of the interval; null for want of a second pair
 * @param high upper end of the interval, likewise
 */
public record PairedRatio(
        int pairs, double before, double after, double ratio, @Nullable Double low, @Nullable Double high) {
    private static final double CONFIDENCE = 0.95;

    /** Two figures that belong together. */
    public record Pair(double before, double after) {}

    /** The ratio of these pairs; null if there is none, or a figure is not positive, which a ratio says nothing of. */
    public static @Nullable PairedRatio of(List<Pair> pairs) {
        if (pairs.isEmpty() || !pairs.stream().allMatch(pair -> pair.before() > 0 && pair.after() > 0)) {
            return null;
        }
        SummaryStatistics logsBefore = new SummaryStatistics();
        SummaryStatistics logsOfRatio = new SummaryStatistics();
        for (Pair pair : pairs) {
            logsBefore.addValue(Math.log(pair.before()));
            logsOfRatio.addValue(Math.log(pair.after() / pair.before()));
        }
        double mean = logsOfRatio.getMean();
        double before = Math.exp(logsBefore.getMean());
        double ratio = Math.exp(mean);
        if (pairs.size() < 2) {
            return new PairedRatio(1, before, before * ratio, ratio, null, null);
        }
        double half = new TDistribution(pairs.size() - 1.0).inverseCumulativeProbability((1 + CONFIDENCE) / 2)
                * logsOfRatio.getStandardDeviation()
                / Math.sqrt(pairs.size());
        return new PairedRatio(
                pairs.size(), before, before * ratio, ratio, Math.exp(mean - half), Math.exp(mean + half));
    }
}

package org.lagbench.analysis.statistics;

import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The share of a whole that is counted in clusters, such as packets of runs. Events within a cluster may depend on each
 * other; clusters are independent.
 *
 * <p>The interval is that of Clopper and Pearson for a smaller whole (Korn and Graubard, "Confidence intervals for
 * proportions with small expected number of positive counts estimated from survey data", 1998): it is divided by the
 * design effect, which is the variance between the clusters over that of independent events, and by the square of
 * Student's t over its normal value. So few events do not hide that they come in bursts, the design effect also
 * contains one assumed burst. Without an event, that burst alone is the design effect.
 *
 * <p>If clusters differ by factors, the few largest make the share, and a sample without them has a small variance too.
 * So the end away from 0 or 1, whichever is nearer, is at least that of a lognormal mean (Cox's method; Zhou and Gao,
 * "Confidence intervals for the log-normal mean", 1997), whose variance s² is that of the logarithms of the clusters'
 * shares, widened for few of them:
 *
 * <pre>
 *   share · exp(±t·√(s²/k + s⁴/(2(k − 1))))   of k clusters
 * </pre>
 *
 * @param counts number of events in each cluster
 * @param wholes number of possible events in each cluster; their sum may be 0
 * @param burst number of events in the assumed burst, at least 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClusteredShare(double[] counts, double[] wholes, double burst) {
    /** Losses often come in bursts: so many packets are assumed to be lost together once. */
    public static final double ASSUMED_BURST = 10;

    /** Bursts that are added to each cluster, so that the logarithm of its share exists. By simulation. */
    private static final double ADDED_BURSTS = 1;

    /** What the variance of the logarithms is multiplied by: that of few clusters is often too small. By simulation. */
    private static final double VARIANCE_FACTOR = 1.3;

    private static final double HALF = .5;

    /** Returns the share with its 95 % interval, as {@link #interval(double)}. */
    public Interval interval() {
        return interval(Interval.SHARE_TAIL);
    }

    /**
     * Returns the share with its interval; without ends if there are fewer than two clusters. If a part exceeds its
     * whole, or is negative, it is a ratio, with the interval of Student's t.
     *
     * @param tail the error probability at either end
     */
    public Interval interval(double tail) {
        double whole = StatUtils.sum(wholes);
        double count = StatUtils.sum(counts);
        double share = count / whole;
        if (counts.length < 2 || !(whole > 0)) {
            return new Interval(share, Double.NaN, Double.NaN);
        }
        double student = new TDistribution(null, counts.length - 1.0).inverseCumulativeProbability(1 - tail);
        if (IntStream.range(0, counts.length).anyMatch(i -> counts[i] < 0 || counts[i] > wholes[i])) {
            double half = student * Math.sqrt(squares(share) * factor()) / whole;
            return new Interval(share, share - half, share + half);
        }
        double independent = whole * share * (1 - share);
        double effect = independent > 0 ? squares(share) * factor() / independent : 0;
        double seen = Math.min(count, whole - count);
        effect = Math.max(1, Math.max(effect, (seen * effect + burst * burst) / (seen + burst)));
        double normal = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - tail);
        double quantile = seen == 0 ? 1 : normal / student;
        Interval effective = Interval.ofShare(share, whole / effect * quantile * quantile, tail);
        boolean isRare = share <= HALF;
        double end = spreadEnd(isRare ? share : 1 - share, isRare, student);
        return new Interval(
                share,
                isRare ? effective.low() : Math.min(effective.low(), 1 - end),
                isRare ? Math.max(effective.high(), end) : effective.high());
    }

    /**
     * Returns the upper end by the spread of the logarithms of the clusters' shares.
     *
     * @param share of the events, or of the rest, whichever is rarer
     */
    private double spreadEnd(double share, boolean isOfEvents, double student) {
        double added = ADDED_BURSTS * burst * counts.length / StatUtils.sum(wholes);
        double[] logs = IntStream.range(0, counts.length)
                .filter(i -> wholes[i] > 0)
                .mapToDouble(i -> Math.log((isOfEvents ? counts[i] : wholes[i] - counts[i]) / wholes[i] + added))
                .toArray();
        double variance = VARIANCE_FACTOR * StatUtils.variance(logs);
        double error = Math.sqrt(variance / logs.length + variance * variance / (2.0 * Math.max(1, logs.length - 1)));
        return Math.min(1, (share + added) * Math.exp(student * error) - added);
    }

    /** Returns the sum of the squares of what the clusters have beyond the share. */
    private double squares(double share) {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            double beyond = counts[i] - share * wholes[i];
            sum += beyond * beyond;
        }
        return sum;
    }

    private double factor() {
        return counts.length / (counts.length - 1.0);
    }

    /**
     * Returns how large a whole without an event must be, so that its interval shows that the share is at most a limit.
     *
     * @param limit from 0 to 1
     * @param tail the error probability
     */
    public static long wholeWithoutEvent(double limit, double tail, double burst) {
        return (long) Math.ceil(burst * Math.log(tail) / Math.log1p(-limit));
    }
}

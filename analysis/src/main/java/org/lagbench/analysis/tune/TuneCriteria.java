package org.lagbench.analysis.tune;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate must keep to, and what counts as the same. Whether a constraint holds is told by Student's t of the
 * runs' values; for loss, where no run lost any, by the chance of that at the limit ((1 − limit)^packets).
 *
 * @param maximumLoss greatest share of packets lost, from 0 to 1; null for any. 0 is for none in any run
 * @param minimumGoodputBitsPerS least goodput in bit/s; null for any
 * @param indifference by what share an objective may be greater and counts as the same
 */
public record TuneCriteria(@Nullable Double maximumLoss, @Nullable Double minimumGoodputBitsPerS, double indifference) {
    private static final int FEWEST = 3;
    private static final int CLEAR_RUNS = 2;
    private static final double CLEARLY_LESS_GOODPUT = 0.5;
    private static final double CLEARLY_MORE_LOSS = 10;

    /** Whether the runs prove at that level that the constraints do not hold. */
    boolean isBroken(List<Trial> trials, double level) {
        Double most = maximumLoss;
        Double least = minimumGoodputBitsPerS;
        if (most != null && most == 0 && trials.stream().anyMatch(trial -> trial.lost() > 0)) {
            return true;
        }
        return (most != null && most > 0 && isAbove(losses(trials), most, level))
                || (least != null && isAbove(negative(goodputs(trials)), -least, level));
    }

    /**
     * Whether each run is so far beyond a constraint that more of them are not worth their time: less than half of the
     * goodput, or ten times the loss. That is no test, but a bet on how seldom a run of a candidate that keeps to the
     * constraints is so disturbed by something else. If that happens to one run in 50, two runs are both so with a
     * probability of 1/2,500, and any of twelve candidates is thrown out for it with one of 0.5 %.
     */
    boolean isClearlyBroken(List<Trial> trials) {
        Double most = maximumLoss;
        Double least = minimumGoodputBitsPerS;
        return trials.size() >= CLEAR_RUNS
                && ((most != null
                                && most > 0
                                && trials.stream().allMatch(trial -> trial.loss() > CLEARLY_MORE_LOSS * most))
                        || (least != null
                                && trials.stream()
                                        .allMatch(trial -> trial.goodputBitsPerS() < CLEARLY_LESS_GOODPUT * least)));
    }

    /** Whether they prove that they hold. */
    boolean isKept(List<Trial> trials, double level) {
        return keepsLoss(trials, level) && keepsGoodput(trials, level);
    }

    /** By what factor the mean of the runs is beyond the constraint it breaks most; 1 or less if it breaks none. */
    double excess(List<Trial> trials) {
        double excess = 0;
        Double most = maximumLoss;
        Double least = minimumGoodputBitsPerS;
        if (most != null) {
            double loss = mean(losses(trials));
            excess = Math.max(excess, loss == 0 ? 0 : loss / Math.max(most, 1e-9));
        }
        if (least != null) {
            excess = Math.max(excess, least / Math.max(1, mean(goodputs(trials))));
        }
        return excess;
    }

    private boolean keepsLoss(List<Trial> trials, double level) {
        Double most = maximumLoss;
        if (most == null) {
            return true;
        }
        if (trials.stream().allMatch(trial -> trial.lost() == 0)) {
            long sent = trials.stream().mapToLong(Trial::sent).sum();
            return most == 0 || Math.pow(1 - most, (double) sent) <= level;
        }
        return most > 0 && isAbove(negative(losses(trials)), -most, level);
    }

    private boolean keepsGoodput(List<Trial> trials, double level) {
        Double least = minimumGoodputBitsPerS;
        return least == null || isAbove(goodputs(trials), least, level);
    }

    private static double[] losses(List<Trial> trials) {
        return trials.stream().mapToDouble(Trial::loss).toArray();
    }

    private static double[] goodputs(List<Trial> trials) {
        return trials.stream().mapToDouble(Trial::goodputBitsPerS).toArray();
    }

    private static double[] negative(double[] values) {
        return Arrays.stream(values).map(value -> -value).toArray();
    }

    private static double mean(double[] values) {
        return new DescriptiveStatistics(values).getMean();
    }

    private static boolean isAbove(double[] values, double limit, double level) {
        if (values.length < FEWEST) {
            return false;
        }
        DescriptiveStatistics statistics = new DescriptiveStatistics(values);
        double error = statistics.getStandardDeviation() / Math.sqrt(values.length);
        double beyond = statistics.getMean() - limit;
        if (error == 0 || beyond <= 0) {
            return beyond > 0;
        }
        return 1 - new TDistribution(values.length - 1.0).cumulativeProbability(beyond / error) <= level;
    }
}

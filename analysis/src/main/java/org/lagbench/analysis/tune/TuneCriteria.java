package org.lagbench.analysis.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;

/**
 * The constraints on candidates and the indifference between them. A constraint is tested by Student's t of the runs'
 * values. If no run lost a packet, the limit on loss is tested by the probability of that: (1 − limit)^packets.
 *
 * @param maximumLoss largest share of packets lost, from 0 to 1; null for any. 0 allows no loss in any run
 * @param minimumGoodputBitsPerS smallest goodput in bit/s; null for any
 * @param indifference by what share objectives may differ and still count as the same
 */
public record TuneCriteria(@Nullable Double maximumLoss, @Nullable Double minimumGoodputBitsPerS, double indifference) {
    private static final int MIN = 3;
    private static final int CLEAR_RUNS = 2;
    private static final double CLEARLY_LESS_GOODPUT = 0.5;
    private static final double CLEARLY_MORE_LOSS = 10;

    /** Returns whether the runs prove at a level that a constraint is broken. */
    boolean isBroken(List<Trial> trials, double level) {
        Double max = maximumLoss;
        Double min = minimumGoodputBitsPerS;
        boolean losesTooMuch = max != null
                && (max == 0
                        ? trials.stream().anyMatch(trial -> trial.lost() > 0)
                        : isAbove(trials, Trial::loss, max, level));
        return losesTooMuch || (min != null && isAbove(trials, trial -> -trial.goodputBitsPerS(), -min, level));
    }

    /**
     * Returns whether each of two runs or more is so far beyond a constraint that further runs are not worth their
     * time: less than half of the goodput, or ten times the loss, or too few packets for the objective. This is not a
     * test. If something else disturbs one run in 50 so much, it disturbs both of two runs with a probability of
     * 1/2,500. Then one of twelve candidates is wrongly excluded with a probability of 0.5 %.
     */
    boolean isClearlyBroken(List<Trial> trials) {
        double max = maximumLoss == null || maximumLoss == 0 ? 1 : CLEARLY_MORE_LOSS * maximumLoss;
        double min = minimumGoodputBitsPerS == null ? 0 : CLEARLY_LESS_GOODPUT * minimumGoodputBitsPerS;
        return trials.size() >= CLEAR_RUNS
                && (trials.stream().allMatch(trial -> trial.loss() > max)
                        || trials.stream().allMatch(trial -> trial.goodputBitsPerS() < min)
                        || trials.stream().noneMatch(Trial::hasObjective));
    }

    /** Returns whether the runs prove at a level that all constraints are satisfied. */
    boolean isKept(List<Trial> trials, double level) {
        Double max = maximumLoss;
        Double min = minimumGoodputBitsPerS;
        return trials.stream().anyMatch(Trial::hasObjective)
                && (max == null || isLossKept(trials, max, level))
                && (min == null || isAbove(trials, Trial::goodputBitsPerS, min, level));
    }

    private static boolean isLossKept(List<Trial> trials, double max, double level) {
        if (trials.stream().allMatch(trial -> trial.lost() == 0)) {
            long sent = trials.stream().mapToLong(Trial::sent).sum();
            return max == 0 || Math.pow(1 - max, (double) sent) <= level;
        }
        return max > 0 && isAbove(trials, trial -> -trial.loss(), -max, level);
    }

    /** Returns by what factor the mean of the runs exceeds the most broken constraint; at most 1 if none is broken. */
    double excess(List<Trial> trials) {
        double loss = maximumLoss == null ? 0 : mean(trials, Trial::loss) / Math.max(maximumLoss, 1e-9);
        double goodput = minimumGoodputBitsPerS == null
                ? 0
                : minimumGoodputBitsPerS / Math.max(1, mean(trials, Trial::goodputBitsPerS));
        return Math.max(loss, goodput);
    }

    static double mean(List<Trial> trials, ToDoubleFunction<Trial> metric) {
        return trials.stream().mapToDouble(metric).average().orElse(Double.NaN);
    }

    private static boolean isAbove(List<Trial> trials, ToDoubleFunction<Trial> metric, double limit, double level) {
        return trials.size() >= MIN
                && Interval.isAbove(trials.stream().mapToDouble(metric).toArray(), limit, level);
    }
}

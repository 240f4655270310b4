package org.lagbench.analysis.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.statistics.Interval;

/**
 * A limit of a quantity of candidates. It is tested by Student's t of the runs' values, without the lowest and the
 * highest fifth unless a share of packets is to be at most the limit. If an upper limit is on a share of packets and no
 * run has any, it is tested by the probability of that: (1 − limit)^n for n independent packets. If other runs lose
 * packets in bursts, n is the number of packets divided by the length of a burst.
 *
 * @param text as part of a sentence: "a loss of at most 1 %"
 * @param isUpper whether values must be at most the limit; otherwise at least
 * @param limit in the unit of the quantity; an upper limit of 0 allows no run to have more
 * @param unit what one is of a share of packets, such as 100 for percent; 0 for other quantities
 * @param quantity of a run; NaN if the run has none
 */
public record Constraint(String text, boolean isUpper, double limit, double unit, ToDoubleFunction<Trial> quantity) {
    private static final int MIN = 3;
    private static final double CLEARLY_LESS = 0.5;
    private static final double CLEARLY_MORE = 10;
    private static final double SMALLEST = 1e-9;

    /** Returns whether the runs prove at a level that it is broken. */
    boolean isBroken(List<Trial> trials, double level) {
        return (isUpper && limit == 0)
                ? trials.stream().anyMatch(trial -> quantity.applyAsDouble(trial) > 0)
                : isProven(trials, isUpper ? 1 : -1, level);
    }

    /** Returns whether a run is so far beyond it that further runs are not worth their time. */
    boolean isClearlyBroken(Trial trial) {
        double value = quantity.applyAsDouble(trial);
        return isUpper ? (limit > 0 && value > CLEARLY_MORE * limit) : value < CLEARLY_LESS * limit;
    }

    /** Returns whether the runs prove at a level that it is kept. */
    boolean isKept(List<Trial> trials, double level, double lossBurst) {
        if (isUpper && trials.stream().allMatch(trial -> quantity.applyAsDouble(trial) == 0)) {
            long sent = trials.stream().mapToLong(Trial::sent).sum();
            return limit == 0 || unit == 0 || Math.pow(1 - limit / unit, sent / lossBurst) <= level;
        }
        return (!isUpper || limit > 0) && isProven(trials, isUpper ? -1 : 1, level);
    }

    /**
     * Returns how many packets without a loss prove it with a probability of error, if each loss is of this many
     * packets; 0 if it is not the upper limit of a share of packets.
     */
    public long packetsNeeded(double level, double lossBurst) {
        return isUpper && limit > 0 && unit > 0
                ? (long) Math.ceil(lossBurst * Math.log(level) / Math.log1p(-limit / unit))
                : 0;
    }

    /** Returns the factor by which the mean of the runs exceeds the constraint; at most 1 if it does not. */
    double excess(List<Trial> trials) {
        double mean = TuneCriteria.mean(trials, quantity);
        return isUpper ? mean / Math.max(limit, SMALLEST) : limit / Math.max(SMALLEST, mean);
    }

    /** Returns whether the values are proven to be above the limit, or below it if the sign is -1. */
    private boolean isProven(List<Trial> trials, int sign, double level) {
        double[] values = trials.stream()
                .mapToDouble(trial -> sign * quantity.applyAsDouble(trial))
                .toArray();
        boolean isKeptShare = sign < 0 && unit > 0;
        return values.length >= MIN
                && (isKeptShare
                        ? Interval.isMeanAbove(values, sign * limit, level)
                        : Interval.isAbove(values, sign * limit, level));
    }
}

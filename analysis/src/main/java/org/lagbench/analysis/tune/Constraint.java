package org.lagbench.analysis.tune;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Judgment.Outcome;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.analysis.summary.RepeatEstimate.RunValue;
import org.lagbench.core.model.Limit;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * A limit of a metric of candidates. It is judged as {@code --require} judges it, with the error probability of the
 * search: by the interval over all runs of a candidate.
 *
 * @param text as part of a sentence: "a loss of at most 1 %"
 * @param value of a run; NaN if the run has none
 */
public record Constraint(String text, Limit bound, Metric<?> metric, Function<Trial, RunValue> value) {
    private static final double CLEARLY_LESS = 0.5;
    private static final double CLEARLY_MORE = 10;
    private static final double SMALLEST = 1e-9;

    /**
     * The share in percent that packets without a loss must prove if none may be lost, which no number of them proves.
     */
    private static final double PROVEN_FOR_NONE = 0.1;

    /** Returns the constraint of a required metric. */
    public static Constraint of(Limit bound, Metric<?> metric) {
        return new Constraint(bound.text(), bound, metric, trial -> trial.required(metric));
    }

    /** Returns a limit of the packets lost. */
    public static Constraint ofLoss(String text, Limit bound) {
        return new Constraint(text, bound, MainMetrics.LOSS, Trial::lossOfSent);
    }

    /** Returns a limit of the goodput, which is judged as the rate of reception is. */
    public static Constraint ofGoodput(String text, Limit bound) {
        return new Constraint(
                text,
                bound,
                MainMetrics.RECEIVE_RATE,
                trial -> new RunValue(1, trial.goodputBitsPerS() / Units.BITS_PER_MBIT, Double.NaN));
    }

    /** Returns whether it is of a required metric: loss and goodput have columns anyway. */
    public boolean isRequired() {
        return text.equals(bound.text());
    }

    /** Returns whether it allows no event of a share, so that it is about the measured packets alone. */
    public boolean allowsNone() {
        return isUpperShare() && limit() == 0;
    }

    private boolean isUpperShare() {
        return bound.isUpper()
                && metric.combination() == Combination.POOLED
                && metric.unit().equals(Metric.PERCENT);
    }

    /**
     * Returns what the runs of a candidate show.
     *
     * @param tail the probability that it is wrong
     */
    Outcome decide(List<Trial> trials, double tail) {
        RepeatEstimate estimate = estimate(trials);
        Outcome outcome = Judgment.decide(bound, estimate, tail).outcome();
        return outcome == Outcome.MET
                        && allowsNone()
                        && !(estimate.interval(tail).high() <= PROVEN_FOR_NONE)
                ? Outcome.UNDECIDED
                : outcome;
    }

    /** Returns the metric over the runs of a candidate. */
    RepeatEstimate estimate(List<Trial> trials) {
        return new RepeatEstimate(
                metric,
                IntStream.range(0, trials.size())
                        .mapToObj(run -> {
                            RunValue ofRun = value.apply(trials.get(run));
                            return new RunValue(run + 1, ofRun.value(), ofRun.whole());
                        })
                        .toList());
    }

    /** Returns whether a run is so far beyond it that further runs are not worth their time. */
    boolean isClearlyBroken(Trial trial) {
        double ofRun = value.apply(trial).value();
        return bound.isUpper() ? (limit() > 0 && ofRun > CLEARLY_MORE * limit()) : ofRun < CLEARLY_LESS * limit();
    }

    /**
     * Returns how many packets without a loss prove it, as {@link #decide} does, with a probability of error; 0 if it
     * is not an upper limit of a share of packets.
     */
    public long packetsNeeded(double tail) {
        double share = (allowsNone() ? PROVEN_FOR_NONE : limit()) / Units.PERCENT;
        return isUpperShare() && share < 1
                ? ClusteredShare.wholeWithoutEvent(share, tail, ClusteredShare.ASSUMED_BURST)
                : 0;
    }

    /** Returns the factor by which the value over the runs exceeds the constraint; at most 1 if it does not. */
    double excess(List<Trial> trials) {
        double all = estimate(trials).interval().value();
        return bound.isUpper() ? all / Math.max(limit(), SMALLEST) : limit() / Math.max(SMALLEST, all);
    }

    private double limit() {
        return bound.in(metric.unit());
    }
}

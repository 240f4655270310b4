package org.lagbench.analysis.comparison;

import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.RepeatEstimate;

/**
 * The ratio of the shares of two sides, each of all its packets. Both are independent of each other.
 *
 * <p>Its interval is derived from those of both shares, whose distances from the shares are added as squares, of ratios
 * as logarithms (Donner and Zou, "Closed-form confidence intervals for functions of the normal mean and standard
 * deviation", 2012):
 *
 * <pre>
 *   low = s₂ − s₁ − √((s₂ − low₂)² + (high₁ − s₁)²)
 * </pre>
 */
final class ShareRatio implements RatioEstimate {
    private static final double TAIL = (1 - Interval.CONFIDENCE) / 2;

    /** The p-value of an equivalence is a multiple of 1 by so many. */
    private static final double STEPS = 4_000;

    private static final double HALF = .5;

    private final RepeatEstimate ofBaseline;
    private final RepeatEstimate ofCompared;
    private final Interval baseline;
    private final Interval compared;
    private final Interval ratio;

    ShareRatio(RepeatEstimate ofBaseline, RepeatEstimate ofCompared) {
        this.ofBaseline = ofBaseline;
        this.ofCompared = ofCompared;
        this.baseline = ofBaseline.interval(TAIL);
        this.compared = ofCompared.interval(TAIL);
        this.ratio = ratio(baseline, compared);
    }

    @Override
    public double baseline() {
        return baseline.value();
    }

    @Override
    public double compared() {
        return compared.value();
    }

    @Override
    public Interval ratio() {
        return ratio;
    }

    private static Interval ratio(Interval before, Interval after) {
        Interval logs = difference(logs(before), logs(after));
        return Double.isFinite(logs.value())
                ? new Interval(Math.exp(logs.value()), Math.exp(logs.low()), Math.exp(logs.high()))
                : Interval.ofRanks();
    }

    private static Interval logs(Interval share) {
        return new Interval(Math.log(share.value()), Math.log(Math.max(0, share.low())), Math.log(share.high()));
    }

    /** Returns the difference of the shares, compared minus baseline. */
    Interval difference() {
        return difference(baseline, compared);
    }

    private static Interval difference(Interval before, Interval after) {
        double value = after.value() - before.value();
        return new Interval(
                value,
                value - Math.hypot(after.value() - after.low(), before.high() - before.value()),
                value + Math.hypot(after.high() - after.value(), before.value() - before.low()));
    }

    @Override
    public double nonEquivalence(double margin, double doubt) {
        double bound = Math.log1p(margin) - doubt;
        if (!ratio.hasEnds()) {
            return Double.NaN;
        }
        return isWithin(HALF, bound)
                ? Bisection.first(1, (long) (HALF * STEPS), step -> isWithin(step / STEPS, bound)) / STEPS
                : 1;
    }

    private boolean isWithin(double tail, double bound) {
        Interval narrow = ratio(ofBaseline.interval(tail), ofCompared.interval(tail));
        return Math.log(narrow.high()) < bound && -Math.log(narrow.low()) < bound;
    }

    @Override
    public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
        return false; // clusters of packets are compared, not repeat by repeat
    }
}

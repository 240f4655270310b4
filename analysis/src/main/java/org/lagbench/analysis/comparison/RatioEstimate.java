package org.lagbench.analysis.comparison;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.RepeatDependence;

/** The ratio of the values of a metric on two sides. */
public sealed interface RatioEstimate
        permits RatioEstimate.OfRepeats, RatioEstimate.OfExtremes, RatioEstimate.OfMeans, ShareRatio {
    /** Returns the baseline's value over its repeats or sessions; NaN if it has none. */
    double baseline();

    /** Returns the compared value; NaN likewise. */
    double compared();

    /** Returns the ratio; NaN if a value is not positive, or a side has none. */
    Interval ratio();

    /** Returns the p-value of the hypothesis that the ratio is outside of the margin; NaN if there is no interval. */
    double nonEquivalence(double margin, double doubt);

    /**
     * Returns whether the ratio is decided only if the repeats are taken as independent, which they are shown not to
     * be.
     */
    boolean isDoubtedByDependence(double margin, boolean smallerIsBetter);

    /** Returns the verdict on the ratio; see {@link RatioTest#verdict}. */
    default Verdict verdict(double margin, double doubt, boolean smallerIsBetter) {
        return RatioTest.verdict(ratio(), nonEquivalence(margin, doubt), doubt, smallerIsBetter);
    }

    /** Returns the ratio of two points of one session, or of two sessions: repeat by repeat, in the order of time. */
    static RatioEstimate of(CommonRepeats repeats) {
        return repeats.isPositive()
                ? new OfRepeats(
                        repeats.ratios(),
                        Interval.ofMedian(repeats.baseline()).value(),
                        Interval.ofMedian(repeats.compared()).value())
                : new OfRepeats(
                        new double[0],
                        Interval.ofSignedMedian(repeats.baseline()).value(),
                        Interval.ofSignedMedian(repeats.compared()).value());
    }

    /** Returns that there is no ratio of two values, which may be NaN. */
    static RatioEstimate none(double baseline, double compared) {
        return new OfMeans(baseline, compared, MeanDifference.NONE);
    }

    /** Returns the ratio of the smallest or largest values of the repeats. */
    static RatioEstimate ofExtremes(CommonRepeats repeats, double baseline, double compared) {
        return new OfExtremes(new OfRepeats(repeats.ratios(), baseline, compared));
    }

    /** Returns the ratio of the sums over the repeats. */
    static RatioEstimate ofSums(CommonRepeats repeats) {
        double before = StatUtils.sum(repeats.baseline());
        double after = StatUtils.sum(repeats.compared());
        return new OfMeans(
                before,
                after,
                before > 0 && after > 0
                        ? MeanDifference.ofSum(
                                Math.log(after / before), repeats.pairwise((x, y) -> y / after - x / before))
                        : MeanDifference.NONE);
    }

    /** Returns the ratio of two points by a value of each session. */
    static RatioEstimate ofSessions(double[] baseline, double[] compared) {
        if (!isPositive(baseline) || !isPositive(compared)) {
            return none(StatUtils.mean(baseline), StatUtils.mean(compared));
        }
        double[] before = logs(baseline);
        double[] after = logs(compared);
        return new OfMeans(
                Math.exp(StatUtils.mean(before)), Math.exp(StatUtils.mean(after)), MeanDifference.of(before, after));
    }

    /** Returns whether there are values, and all are above 0. */
    static boolean isPositive(double[] values) {
        return values.length > 0 && Arrays.stream(values).allMatch(value -> value > 0);
    }

    private static double[] logs(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }

    /**
     * The median of the ratios of repeats.
     *
     * @param ratios in the order of time
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record OfRepeats(double[] ratios, double baseline, double compared) implements RatioEstimate {
        @Override
        public Interval ratio() {
            return Interval.ofMedian(independent());
        }

        @Override
        public double nonEquivalence(double margin, double doubt) {
            return RatioTest.nonEquivalence(independent(), margin, doubt);
        }

        @Override
        public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
            return RepeatDependence.of(logs(ratios)).isShown()
                    && verdict(margin, 0, smallerIsBetter) != RatioTest.verdict(ratios, margin, 0, smallerIsBetter);
        }

        /** Returns ratios that show as much about their median, if they are taken as independent. */
        private double[] independent() {
            double[] logs = logs(ratios);
            return Arrays.stream(RepeatDependence.of(logs).stretch(logs))
                    .map(Math::exp)
                    .toArray();
        }
    }

    /**
     * The ratio of the smallest or largest values of all repeats. Nothing is known of how an extreme varies, so that it
     * is decided only if the ratio of most repeats agrees with that of the extremes.
     *
     * @param ofRepeats the ratios of repeats, and the extremes of both sides
     */
    record OfExtremes(OfRepeats ofRepeats) implements RatioEstimate {
        @Override
        public double baseline() {
            return ofRepeats.baseline();
        }

        @Override
        public double compared() {
            return ofRepeats.compared();
        }

        @Override
        public Interval ratio() {
            return ofRepeats.ratio().around(compared() / baseline());
        }

        @Override
        public double nonEquivalence(double margin, double doubt) {
            double ofSigns = ofRepeats.nonEquivalence(margin, doubt);
            boolean isWithin = Math.abs(Math.log(compared() / baseline())) < Math.log1p(margin) - doubt;
            return isWithin || Double.isNaN(ofSigns) ? ofSigns : 1;
        }

        @Override
        public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
            return ofRepeats.isDoubtedByDependence(margin, smallerIsBetter);
        }
    }

    /**
     * The ratio of geometric means over sessions, or of sums over repeats.
     *
     * @param ofLogs the difference of the logarithms
     */
    record OfMeans(double baseline, double compared, MeanDifference ofLogs) implements RatioEstimate {
        @Override
        public Interval ratio() {
            Interval logs = ofLogs.interval();
            return Double.isNaN(ofLogs.value())
                    ? logs
                    : new Interval(compared / baseline, Math.exp(logs.low()), Math.exp(logs.high()));
        }

        @Override
        public double nonEquivalence(double margin, double doubt) {
            double error = ofLogs.error();
            if (Double.isNaN(error)) {
                return Double.NaN;
            }
            double within = Math.log1p(margin) - doubt - Math.abs(ofLogs.value());
            return error == 0 ? within > 0 ? 0 : 1 : ofLogs.student().cumulativeProbability(-within / error);
        }

        @Override
        public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
            return false; // sessions have one value each, and the error of sums contains the dependence
        }
    }
}

package org.lagbench.analysis.comparison;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.RepeatDependence;

/** The ratio of the values of a metric on two sides. */
sealed interface RatioEstimate {
    /** Returns the center of the baseline's values; NaN without any, and for several sessions without a ratio. */
    double baseline();

    /** Returns the center of the compared values; NaN likewise. */
    double compared();

    /** Returns the ratio; NaN if a value is not positive, or a side has none. */
    Interval ratio();

    /** Returns the p-value of {@link Comparisons#nonEquivalence}. */
    double nonEquivalence(double margin, double doubt);

    /**
     * Returns whether the ratio is decided only if the repeats are taken as independent, which they are shown not to
     * be.
     */
    boolean isDoubtedByDependence(double margin, boolean smallerIsBetter);

    /** Returns the verdict on the ratio; see {@link Comparisons#verdict}. */
    default Verdict verdict(double margin, double doubt, boolean smallerIsBetter) {
        return Comparisons.verdict(ratio(), nonEquivalence(margin, doubt), doubt, smallerIsBetter);
    }

    /** Returns the ratio of two points of one session, or of two sessions: repeat by repeat, in the order of time. */
    static RatioEstimate of(CommonRepeats repeats) {
        return isPositive(repeats.baseline()) && isPositive(repeats.compared())
                ? new OfRepeats(
                        repeats.ratios(),
                        Interval.ofMedian(repeats.baseline()).value(),
                        Interval.ofMedian(repeats.compared()).value())
                : new OfRepeats(
                        new double[0],
                        Interval.ofSignedMedian(repeats.baseline()).value(),
                        Interval.ofSignedMedian(repeats.compared()).value());
    }

    /** Returns the ratio of two points by a value of each session. */
    static RatioEstimate ofSessions(double[] baseline, double[] compared) {
        return isPositive(baseline) && isPositive(compared)
                ? OfSessions.of(logs(baseline), logs(compared))
                : new OfSessions(Double.NaN, Double.NaN, MeanDifference.NONE);
    }

    private static boolean isPositive(double[] values) {
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
            return Comparisons.nonEquivalence(independent(), margin, doubt);
        }

        @Override
        public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
            return RepeatDependence.of(logs(ratios)).isShown()
                    && verdict(margin, 0, smallerIsBetter) != Comparisons.verdict(ratios, margin, 0, smallerIsBetter);
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
     * The ratio of the geometric means over sessions.
     *
     * @param baseline geometric mean over the sessions
     * @param compared geometric mean over the sessions
     * @param ofLogs the difference of the means of the logarithms
     */
    record OfSessions(double baseline, double compared, MeanDifference ofLogs) implements RatioEstimate {
        static OfSessions of(double[] before, double[] after) {
            return new OfSessions(
                    Math.exp(StatUtils.mean(before)),
                    Math.exp(StatUtils.mean(after)),
                    MeanDifference.of(before, after));
        }

        @Override
        public Interval ratio() {
            Interval logs = ofLogs.interval();
            return new Interval(compared / baseline, Math.exp(logs.low()), Math.exp(logs.high()));
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
            return false; // each session has one value, so there is no dependence to correct
        }
    }
}

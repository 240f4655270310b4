package org.lagbench.analysis.comparison;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.RepeatDependence;

/** The ratio of the values of a metric on two sides. */
sealed interface RatioEstimate {
    /** Returns the number of values: repeats that both sides have, or sessions of both sides. */
    int count();

    /** Returns the center of the baseline's values; NaN without a ratio. */
    double baseline();

    /** Returns the center of the compared values; NaN without a ratio. */
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
    static RatioEstimate ofRepeats(Map<Integer, Double> baseline, Map<Integer, Double> compared) {
        Map<Integer, Double> common = new TreeMap<>(baseline);
        common.keySet().retainAll(compared.keySet());
        double[] denominators =
                common.values().stream().mapToDouble(value -> value).toArray();
        double[] numerators = common.keySet().stream()
                .mapToDouble(repeat -> compared.getOrDefault(repeat, Double.NaN))
                .toArray();
        if (!isPositive(denominators) || !isPositive(numerators)) {
            return new OfRepeats(new double[0], Double.NaN, Double.NaN);
        }
        double[] ratios = new double[denominators.length];
        Arrays.setAll(ratios, i -> numerators[i] / denominators[i]);
        return new OfRepeats(
                ratios,
                Interval.ofMedian(denominators).value(),
                Interval.ofMedian(numerators).value());
    }

    /** Returns the ratio of two points by a value of each session. */
    static RatioEstimate ofSessions(Collection<Double> baseline, Collection<Double> compared) {
        double[] before = baseline.stream().mapToDouble(value -> value).toArray();
        double[] after = compared.stream().mapToDouble(value -> value).toArray();
        return isPositive(before) && isPositive(after)
                ? OfSessions.of(logs(before), logs(after))
                : new OfSessions(0, Double.NaN, Double.NaN, Double.NaN);
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
        public int count() {
            return ratios.length;
        }

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
     * The ratio of the geometric means over sessions, by Student's t with the variance of both sides together.
     *
     * @param count number of sessions of both sides
     * @param baseline geometric mean over the sessions
     * @param compared geometric mean over the sessions
     * @param error standard error of the logarithm of the ratio; NaN without a side of two sessions
     */
    record OfSessions(int count, double baseline, double compared, double error) implements RatioEstimate {
        static OfSessions of(double[] before, double[] after) {
            int count = before.length + after.length;
            double squares =
                    (before.length - 1) * StatUtils.variance(before) + (after.length - 1) * StatUtils.variance(after);
            double error = Math.sqrt(squares / (count - 2) * (1.0 / before.length + 1.0 / after.length));
            return new OfSessions(count, Math.exp(StatUtils.mean(before)), Math.exp(StatUtils.mean(after)), error);
        }

        @Override
        public Interval ratio() {
            double ratio = compared / baseline;
            if (Double.isNaN(error)) {
                return new Interval(ratio, Double.NaN, Double.NaN);
            }
            double factor = Math.exp(error * student().inverseCumulativeProbability((1 + Interval.CONFIDENCE) / 2));
            return new Interval(ratio, ratio / factor, ratio * factor);
        }

        @Override
        public double nonEquivalence(double margin, double doubt) {
            if (Double.isNaN(error)) {
                return Double.NaN;
            }
            double within = Math.log1p(margin) - doubt - Math.abs(Math.log(compared / baseline));
            return error == 0 ? within > 0 ? 0 : 1 : student().cumulativeProbability(-within / error);
        }

        @Override
        public boolean isDoubtedByDependence(double margin, boolean smallerIsBetter) {
            return false; // each session has one value, so there is no dependence to correct
        }

        private TDistribution student() {
            return new TDistribution(null, count - 2.0);
        }
    }
}

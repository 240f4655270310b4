package org.lagbench.analysis.bottleneck;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The active test: compares the rates of simultaneous flows with the rates of the same flows alone. Some flows share a
 * bottleneck if the sum of the simultaneous rates is below {@value #APART_RATIO} of the sum of the rates alone.
 *
 * <p>Competing traffic changes all rates. In a few repeats the ratios may be similar by chance. So the variance of
 * their logarithms is at least that of the rates alone.
 *
 * @param sharing the verdict
 * @param probability that a bottleneck is shared
 * @param ratio the geometric mean of the ratios of the repeats
 */
public record RateSharing(Sharing sharing, double probability, double ratio) {
    private static final double APART_RATIO = 0.85;

    /** Standard deviation added to that of the logarithms of ratios, which can be too small in a small sample. */
    private static final double LEAST_NOISE = 0.03;

    /**
     * The rates of one repeat, in the same unit.
     *
     * @param alone the rate of each flow, measured alone
     * @param together the sum of the rates of the same flows, measured at the same time
     */
    public record Repeat(List<Double> alone, double together) {
        private boolean isKnown() {
            return together > 0 && alone.stream().allMatch(rate -> rate > 0);
        }

        private double ratio() {
            return together / alone.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** Compares repeats. The verdict is UNCERTAIN with less than two whose rates are known and positive. */
    public static RateSharing of(List<Repeat> repeats) {
        List<Repeat> known = repeats.stream().filter(Repeat::isKnown).toList();
        if (known.size() < 2) {
            return new RateSharing(Sharing.UNCERTAIN, Double.NaN, Double.NaN);
        }
        List<Double> below = known.stream()
                .map(repeat -> Math.log(APART_RATIO) - Math.log(repeat.ratio()))
                .toList();
        double lacking = Math.max(0, varianceAlone(known) - variance(below.stream()));
        double probability =
                DelayCorrelation.probabilityPositive(below, Math.sqrt(LEAST_NOISE * LEAST_NOISE + lacking));
        double mean = below.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return new RateSharing(Sharing.of(probability), probability, APART_RATIO * Math.exp(-mean));
    }

    /** Returns the mean variance of the logarithms of the rates of each flow alone. */
    private static double varianceAlone(List<Repeat> repeats) {
        return IntStream.range(0, repeats.get(0).alone().size())
                .mapToDouble(flow -> variance(
                        repeats.stream().map(repeat -> Math.log(repeat.alone().get(flow)))))
                .average()
                .orElse(0);
    }

    private static double variance(Stream<Double> values) {
        return StatUtils.variance(values.mapToDouble(Double::doubleValue).toArray());
    }
}

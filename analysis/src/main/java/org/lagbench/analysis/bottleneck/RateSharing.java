package org.lagbench.analysis.bottleneck;

import java.util.List;

/**
 * The active test: compares the rates of simultaneous flows with the rates of the same flows alone. Some flows share a
 * bottleneck if the sum of the simultaneous rates is below {@value #APART_RATIO} of the sum of the rates alone.
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
     * @param alone the sum of the rates of the flows, each measured alone
     * @param together the sum of the rates of the same flows, measured at the same time
     */
    public record Repeat(double alone, double together) {}

    /** Compares repeats. The verdict is UNCERTAIN with less than two whose rates are known and positive. */
    public static RateSharing of(List<Repeat> repeats) {
        List<Double> below = repeats.stream()
                .filter(repeat -> repeat.together() > 0 && repeat.alone() > 0)
                .map(repeat -> Math.log(APART_RATIO) - Math.log(repeat.together() / repeat.alone()))
                .toList();
        if (below.size() < 2) {
            return new RateSharing(Sharing.UNCERTAIN, Double.NaN, Double.NaN);
        }
        double probability = DelayCorrelation.probabilityPositive(below, LEAST_NOISE);
        double mean = below.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return new RateSharing(Sharing.of(probability), probability, APART_RATIO * Math.exp(-mean));
    }
}

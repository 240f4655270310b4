package org.lagbench.analysis.bottleneck;

import java.util.List;

/**
 * The active test: what flows achieve at the same time, compared with what each achieves alone. Some share a bottleneck
 * if together they achieve less than {@value #APART_RATIO} of the sum.
 *
 * @param sharing the verdict
 * @param probability that a bottleneck is shared
 * @param ratio the geometric mean of the ratios of the repeats
 */
public record RateSharing(Sharing sharing, double probability, double ratio) {
    private static final double APART_RATIO = 0.85;

    /** The least standard deviation of a ratio, which a few equal values cannot show. */
    private static final double LEAST_NOISE = 0.03;

    /**
     * One repeat, both in the same unit.
     *
     * @param alone the sum of the rates of flows that were alone
     * @param together the sum of their rates at the same time
     */
    public record Repeat(double alone, double together) {}

    /** Compares at least two repeats. */
    public static RateSharing of(List<Repeat> repeats) {
        List<Double> below = repeats.stream()
                .map(repeat -> Math.log(APART_RATIO) - Math.log(repeat.together() / repeat.alone()))
                .toList();
        double probability = DelayCorrelation.probabilityPositive(below, LEAST_NOISE);
        double mean = below.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return new RateSharing(Sharing.of(probability), probability, APART_RATIO * Math.exp(-mean));
    }
}

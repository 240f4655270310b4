package org.lagbench.analysis.matrix;

import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The active test: compares the rates of simultaneous flows with the rates of the same flows alone. Some flows share a
 * bottleneck if the ratio of the sum of the simultaneous rates to the sum of the rates alone is below a limit. The
 * limit is not known exactly. Two flows that share a bottleneck with other traffic get more than half of the rates
 * alone. Two flows in opposite directions delay each other's acknowledgments, and then have ratios of about 0.8. So the
 * probability is the average of those for the limits {@value #SHARED_RATIO} and {@value #APART_RATIO}.
 *
 * <p>Competing traffic changes all rates. Few repeats show little of that in their ratios. So the variance is estimated
 * from the logarithms of the ratios and of each flow's rates alone.
 *
 * @param sharing the verdict
 * @param probability that a bottleneck is shared
 * @param ratio the geometric mean of the ratios of the repeats
 */
public record RateSharing(Sharing sharing, double probability, double ratio) {
    private static final double SHARED_RATIO = 0.75;
    private static final double APART_RATIO = 0.85;

    /**
     * Standard deviation added to the standard deviation of the logarithms, because a small sample can underestimate
     * it.
     */
    private static final double MIN_NOISE = 0.03;

    /** The minimum probabilities after two and after three repeats. Their errors add up to that of {@link Sharing}. */
    private static final double EARLY_CONFIDENCE = 0.99;

    private static final double LAST_CONFIDENCE = 0.96;

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

    /**
     * Compares repeats. The verdict is UNCERTAIN with less than two whose rates are known and positive.
     *
     * @param isLast whether no other repeat can follow; otherwise a verdict needs a higher probability
     */
    public static RateSharing of(List<Repeat> repeats, boolean isLast) {
        List<Repeat> known = repeats.stream().filter(Repeat::isKnown).toList();
        int n = known.size();
        if (n < 2) {
            return new RateSharing(Sharing.UNCERTAIN, Double.NaN, Double.NaN);
        }
        int flows = known.get(0).alone().size();
        double variance = variance(known.stream().map(Repeat::ratio));
        for (int flow = 0; flow < flows; flow++) {
            int of = flow;
            variance += variance(known.stream().map(repeat -> repeat.alone().get(of)));
        }
        variance = variance / (1 + flows) + MIN_NOISE * MIN_NOISE;
        double mean = known.stream()
                .mapToDouble(repeat -> Math.log(repeat.ratio()))
                .average()
                .orElseThrow();
        double error = Math.sqrt(variance / n);
        TDistribution t = new TDistribution((n - 1) * (1 + flows));
        double probability = (t.cumulativeProbability((Math.log(SHARED_RATIO) - mean) / error)
                        + t.cumulativeProbability((Math.log(APART_RATIO) - mean) / error))
                / 2;
        double confidence = isLast ? LAST_CONFIDENCE : EARLY_CONFIDENCE;
        return new RateSharing(Sharing.of(probability, confidence), probability, Math.exp(mean));
    }

    /** Returns the variance of the logarithms. */
    private static double variance(Stream<Double> values) {
        return StatUtils.variance(values.mapToDouble(Math::log).toArray());
    }
}

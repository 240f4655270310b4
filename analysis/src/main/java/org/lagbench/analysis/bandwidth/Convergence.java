package org.lagbench.analysis.bandwidth;

import java.util.List;

/**
 * How estimates of the available bandwidth follow a change of the truth, as in figure 6 of Hu (2003). Rates are in bits
 * per second, times in seconds. NaN where there are no samples.
 *
 * @param estimate name of the estimate
 * @param trueBefore the available bandwidth before the change
 * @param before mean of the estimates before the change
 * @param trueAfter the available bandwidth after it
 * @param after mean of the estimates in the last third of the time after it
 * @param convergenceS time from the change until all further estimates are within {@value #TOLERANCE} of the truth
 */
public record Convergence(
        String estimate, double trueBefore, double before, double trueAfter, double after, double convergenceS) {
    /** The relative error of an estimate that is right. */
    public static final double TOLERANCE = .05;

    private static final double STEADY = 2.0 / 3;

    /**
     * An estimate at a time.
     *
     * @param bitsPerS NaN if there was none
     */
    public record Sample(double atS, double bitsPerS) {}

    /** Compares estimates, in the order of time, with the truth before and after a change. */
    public static Convergence of(
            String estimate, List<Sample> samples, double changeS, double trueBefore, double trueAfter) {
        double endS =
                samples.isEmpty() ? changeS : samples.get(samples.size() - 1).atS();
        double rightS = Double.NaN;
        for (Sample sample : samples) {
            boolean isRight = Math.abs(sample.bitsPerS() / trueAfter - 1) <= TOLERANCE;
            if (sample.atS() < changeS || !isRight) {
                rightS = Double.NaN;
            } else if (Double.isNaN(rightS)) {
                rightS = sample.atS() - changeS;
            }
        }
        return new Convergence(
                estimate,
                trueBefore,
                mean(samples, 0, changeS),
                trueAfter,
                mean(samples, changeS + STEADY * (endS - changeS), Double.POSITIVE_INFINITY),
                rightS);
    }

    private static double mean(List<Sample> samples, double fromS, double toS) {
        return samples.stream()
                .filter(sample -> sample.atS() >= fromS && sample.atS() < toS && !Double.isNaN(sample.bitsPerS()))
                .mapToDouble(Sample::bitsPerS)
                .average()
                .orElse(Double.NaN);
    }

    /** Returns the relative error of the mean estimate before the change. */
    public double errorBefore() {
        return before / trueBefore - 1;
    }

    /** Returns the relative error of the mean estimate in the steady state after the change. */
    public double errorAfter() {
        return after / trueAfter - 1;
    }
}

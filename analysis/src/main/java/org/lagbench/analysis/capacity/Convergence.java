package org.lagbench.analysis.capacity;

import java.util.List;

/**
 * How estimates follow a change of the true available bandwidth, as in figure 6 of Hu (2003). Rates are in bits per
 * second, times in seconds. Values without samples are NaN.
 *
 * @param estimate name of the estimate
 * @param trueBefore the true available bandwidth before the change
 * @param before mean of the estimates before the change
 * @param trueAfter the true available bandwidth after the change
 * @param after mean of the estimates in the last third of the time after the change
 * @param convergenceS time from the change until the errors of all further estimates are at most {@value #TOLERANCE}
 */
public record Convergence(
        String estimate, double trueBefore, double before, double trueAfter, double after, double convergenceS) {
    /** The maximum relative error of an estimate that counts as right. */
    public static final double TOLERANCE = .05;

    private static final double STEADY = 2.0 / 3;

    /**
     * An estimate at a time.
     *
     * @param bitsPerS NaN if there was no estimate
     */
    public record Sample(double atS, double bitsPerS) {}

    /** Compares estimates, in the order of time, with the true values before and after a change. */
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

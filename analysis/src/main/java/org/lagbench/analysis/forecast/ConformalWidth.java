package org.lagbench.analysis.forecast;

import java.util.Arrays;
import org.apache.commons.math3.util.KthSelector;

/**
 * The half width of a conformal prediction interval around a forecast, which adapts to its observed coverage (Gibbs and
 * Candès, "Adaptive conformal inference under distribution shift", 2021). It is the quantile of the newest
 * {@value #WINDOW} absolute errors with rank ⌈(n + 1)(1 − α)⌉. After each value, α becomes α + γ(α* − err): α* is
 * {@value #MISSED}, γ is {@value #GAMMA}, and err is 1 if the value was outside its interval, else 0.
 *
 * <p>Where α is below 0 the method asks for an unbounded interval. This one is the greatest error doubled for each γ
 * that α is below 0, which is finite and exceeds any bounded error soon. α is at most {@value #GREATEST_ALPHA}, so that
 * quiet values do not let it rise without limit.
 */
final class ConformalWidth {
    /** The share of values that may be outside. */
    static final double MISSED = .05;

    static final int WINDOW = 300;

    private static final double GAMMA = .005;
    private static final double GREATEST_ALPHA = .2;
    private static final int FEWEST = 20;
    private static final double MOST_DOUBLINGS = 60;

    private final KthSelector selector = new KthSelector();
    private final double[] errors = new double[WINDOW];
    private long learned;
    private double alpha = MISSED;

    /** Returns the half width; NaN before the first {@value #FEWEST} errors. */
    double halfWidth() {
        int count = (int) Math.min(learned, WINDOW);
        if (count < FEWEST) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil((count + 1) * (1 - Math.max(0, alpha)));
        double width = selector.select(Arrays.copyOf(errors, count), null, Math.min(rank, count) - 1);
        return alpha > 0 ? width : width * Math.pow(2, Math.min(-alpha / GAMMA, MOST_DOUBLINGS));
    }

    /**
     * Learns the error of a forecast.
     *
     * @param halfWidth the half width that this object returned when the forecast was made
     */
    void learn(double error, double halfWidth) {
        double magnitude = Math.abs(error);
        if (!Double.isNaN(halfWidth)) {
            alpha = Math.min(GREATEST_ALPHA, alpha + GAMMA * (MISSED - (magnitude > halfWidth ? 1 : 0)));
        }
        errors[(int) (learned++ % WINDOW)] = magnitude;
    }
}

package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * What is said of one series of durations. What is undefined, for want of values, is NaN: all but n of no value, the
 * standard deviation of one.
 *
 * @param n how many values
 * @param medianNs median in ns, estimator R-7
 * @param meanNs mean in ns
 * @param standardDeviationNs sample standard deviation (n − 1) in ns
 * @param minimumNs least value in ns
 * @param maximumNs greatest value in ns
 * @param withoutQ95 the values ≤ the 95 % quantile
 * @param withoutQ99 the values ≤ the 99 % quantile
 */
public record SeriesStatistics(
        long n,
        double medianNs,
        double meanNs,
        double standardDeviationNs,
        double minimumNs,
        double maximumNs,
        TrimmedStatistics withoutQ95,
        TrimmedStatistics withoutQ99) {

    /**
     * Describes a series, exactly, in at most seven passes over it (mostly four) and less than 1 MiB of memory.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static SeriesStatistics of(LongValues values) throws LagbenchException {
        Moments all = new Moments();
        values.forEach(all);
        if (all.n() == 0) {
            return new SeriesStatistics(
                    0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, nothing(95), nothing(99));
        }
        Quantile[] quantiles = Quantile.of(values, all.n(), all.minimum(), all.maximum(), 50, 95, 99);
        Trim q95 = new Trim(quantiles[1]);
        Trim q99 = new Trim(quantiles[2]);
        values.forEach(value -> {
            q95.accept(value);
            q99.accept(value);
        });
        return new SeriesStatistics(
                all.n(),
                quantiles[0].value(),
                all.mean(),
                all.standardDeviation(),
                all.minimum(),
                all.maximum(),
                q95.statistics(all.n()),
                q99.statistics(all.n()));
    }

    /**
     * One quantile of a series in ns, estimator R-7; NaN if there is no value.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static double quantileNs(LongValues values, int percent) throws LagbenchException {
        Moments all = new Moments();
        values.forEach(all);
        return all.n() == 0
                ? Double.NaN
                : Quantile.of(values, all.n(), all.minimum(), all.maximum(), percent)[0].value();
    }

    private static TrimmedStatistics nothing(int percent) {
        return new TrimmedStatistics(percent, Double.NaN, Double.NaN, Double.NaN, 0);
    }

    /** The moments of what is ≤ a quantile. */
    private static final class Trim implements LongConsumer {
        private final Quantile quantile;
        private final Moments kept = new Moments();

        Trim(Quantile quantile) {
            this.quantile = quantile;
        }

        @Override
        public void accept(long value) {
            if (value <= quantile.atOrBelow()) {
                kept.accept(value);
            }
        }

        TrimmedStatistics statistics(long n) {
            return new TrimmedStatistics(
                    quantile.percent(), quantile.value(), kept.mean(), kept.standardDeviation(), n - kept.n());
        }
    }
}

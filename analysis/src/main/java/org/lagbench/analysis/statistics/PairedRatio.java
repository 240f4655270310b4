package org.lagbench.analysis.statistics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of durations measured together to durations measured alone, from pairs in ns: the geometric mean of the
 * pairs' ratios, with a 95 % interval by Student's t of their logarithms. A pair is one repeat, since values within a
 * repeat are correlated.
 *
 * @param aloneNs geometric mean of the durations alone
 * @param togetherNs geometric mean of the durations together; {@code togetherNs / aloneNs} is the ratio
 * @param ratio geometric mean of the ratios
 * @param ratioLow lower end of the interval; unknown if there is only one pair
 * @param ratioHigh upper end of the interval; unknown if there is only one pair
 */
public record PairedRatio(double aloneNs, double togetherNs, double ratio, double ratioLow, double ratioHigh) {
    /** The durations of one repeat. */
    public record Pair(double aloneNs, double togetherNs) {}

    /** Returns the ratio; null if there is no pair or a duration is not positive. */
    public static @Nullable PairedRatio of(List<Pair> pairs) {
        if (pairs.isEmpty() || !pairs.stream().allMatch(pair -> pair.aloneNs() > 0 && pair.togetherNs() > 0)) {
            return null;
        }
        double aloneNs = Interval.ofGeometricMean(
                        pairs.stream().mapToDouble(Pair::aloneNs).toArray())
                .value();
        Interval ratio = Interval.ofGeometricMean(pairs.stream()
                .mapToDouble(pair -> pair.togetherNs() / pair.aloneNs())
                .toArray());
        return new PairedRatio(aloneNs, aloneNs * ratio.value(), ratio.value(), ratio.low(), ratio.high());
    }
}

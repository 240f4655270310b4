package org.lagbench.analysis.statistics;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of durations measured together to durations measured alone, from pairs in ns: the median of the pairs'
 * ratios, with its 95 % interval. A pair is one repeat, since values within a repeat are correlated.
 *
 * @param aloneNs median of the durations alone
 * @param togetherNs median of the durations together
 * @param ratio median of the ratios
 * @param ratioLow lower end of the interval; unknown with fewer than {@value Interval#FEWEST_OF_MEDIAN} pairs
 * @param ratioHigh upper end of the interval; unknown with fewer than {@value Interval#FEWEST_OF_MEDIAN} pairs
 */
public record PairedRatio(double aloneNs, double togetherNs, double ratio, double ratioLow, double ratioHigh) {
    /** The durations of one repeat. */
    public record Pair(double aloneNs, double togetherNs) {}

    /** Returns the ratio; null if there is no pair or a duration is not positive. */
    public static @Nullable PairedRatio of(List<Pair> pairs) {
        if (pairs.isEmpty() || !pairs.stream().allMatch(pair -> pair.aloneNs() > 0 && pair.togetherNs() > 0)) {
            return null;
        }
        double aloneNs = median(pairs, Pair::aloneNs);
        double togetherNs = median(pairs, Pair::togetherNs);
        Interval ratio = Interval.ofMedian(pairs.stream()
                .mapToDouble(pair -> pair.togetherNs() / pair.aloneNs())
                .toArray());
        return new PairedRatio(aloneNs, togetherNs, ratio.value(), ratio.low(), ratio.high());
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> duration) {
        return Interval.ofMedian(pairs.stream().mapToDouble(duration).toArray()).value();
    }
}

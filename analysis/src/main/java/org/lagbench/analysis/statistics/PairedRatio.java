package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of durations measured together to durations measured alone, from pairs in ns: the median of the pairs'
 * ratios, with its 95 % interval. A pair is one repeat, since values within a repeat are correlated.
 *
 * @param aloneNs median of the durations alone
 * @param togetherNs median of the durations together
 * @param ratio median of the ratios
 * @param ratioLow lower end of the interval; unknown with too few pairs
 * @param ratioHigh upper end of the interval; unknown with too few pairs
 */
public record PairedRatio(double aloneNs, double togetherNs, double ratio, double ratioLow, double ratioHigh) {
    /**
     * Returns the ratio; null if there is no pair or a duration is not positive.
     *
     * @param aloneNs the duration alone in each repeat
     * @param togetherNs the duration together in the same repeats
     */
    public static @Nullable PairedRatio of(double[] aloneNs, double[] togetherNs) {
        if (aloneNs.length == 0
                || !DoubleStream.of(aloneNs).allMatch(ns -> ns > 0)
                || !DoubleStream.of(togetherNs).allMatch(ns -> ns > 0)) {
            return null;
        }
        double[] ratios = new double[aloneNs.length];
        Arrays.setAll(ratios, repeat -> togetherNs[repeat] / aloneNs[repeat]);
        Interval ratio = Interval.ofMedian(ratios);
        return new PairedRatio(
                Interval.ofMedian(aloneNs).value(),
                Interval.ofMedian(togetherNs).value(),
                ratio.value(),
                ratio.low(),
                ratio.high());
    }
}

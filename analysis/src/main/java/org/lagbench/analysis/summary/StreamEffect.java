package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.PairedRatio;

/**
 * The effect of concurrent streams on a stream: its lag alone and together with them, repeat by repeat. Only packets
 * sent while all streams were active count.
 *
 * @param point the stream together with the others
 * @param repeats number of repeats that have both
 * @param sharedPart the least share of the stream's packets, of any repeat, that were sent while all streams were
 *     active
 * @param median of the lag; null if a repeat has none, or none greater than zero
 * @param q99 the 99 % quantile of the lag; null as {@code median}
 * @param lostPartAlone share of the packets that were lost alone
 * @param lostPartTogether share of the packets that were lost together
 */
public record StreamEffect(
        PointKey point,
        int repeats,
        double sharedPart,
        @Nullable PairedRatio median,
        @Nullable PairedRatio q99,
        double lostPartAlone,
        double lostPartTogether) {}

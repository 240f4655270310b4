package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.PairedRatio;

/**
 * What the streams beside it did to a stream: its lag when it was sent alone against its lag among them, repeat by
 * repeat. Of each run only the packets count that were sent while all the streams were.
 *
 * @param point the stream among the others
 * @param repeats how many repeats have both
 * @param sharedPart the least part of the stream's packets, of any repeat, that were sent while all the streams were
 * @param median of the lag; null if a repeat has none, or none greater than zero
 * @param q99 the 99 % quantile of the lag, likewise
 * @param lostPartAlone part of the packets that were lost alone
 * @param lostPartTogether part of the packets that were lost among the others
 */
public record StreamEffect(
        PointKey point,
        int repeats,
        double sharedPart,
        @Nullable PairedRatio median,
        @Nullable PairedRatio q99,
        double lostPartAlone,
        double lostPartTogether) {}

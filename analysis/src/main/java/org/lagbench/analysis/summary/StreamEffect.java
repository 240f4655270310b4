package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.PairedRatio;

/**
 * What the streams beside it did to a stream: its lag when it was sent alone against its lag among them, repeat by
 * repeat. Of each run only the packets count that were sent while all the streams were.
 *
 * @param alone the stream by itself
 * @param together the stream among the others
 * @param repeats how many repeats have both
 * @param sharedPart the least part of the stream's packets, of any repeat, that were sent while all the streams were
 * @param medianNs the median of the lag in ns; null if a repeat has none, or none greater than zero
 * @param q99Ns the 99 % quantile of the lag in ns, likewise
 * @param lostAlone part of the packets that were lost alone
 * @param lostTogether part of the packets that were lost among the others
 */
public record StreamEffect(
        Point alone,
        Point together,
        int repeats,
        double sharedPart,
        @Nullable PairedRatio medianNs,
        @Nullable PairedRatio q99Ns,
        double lostAlone,
        double lostTogether) {}

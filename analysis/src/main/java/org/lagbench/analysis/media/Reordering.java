package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.analysis.statistics.Ratio;
import org.lagbench.core.failure.LagbenchException;

/**
 * How far packets arrived out of order (RFC 4737), without copies. A packet is reordered (§3.3) if one with a greater
 * sequence number arrived before it. With s[i] the sequence number of arrival i:
 *
 * <ul>
 *   <li>the extent (§4.2) of a reordered arrival i is i − j for the least j with s[j] > s[i]: by how many places it is
 *       late;
 *   <li>arrival i is n-reordered (§5.3) if s[j] > s[i] for all j from i − n to i − 1: the n arrivals just before it
 *       were sent after it. A TCP sender assumes that a 3-reordered packet was lost and retransmits it.
 * </ul>
 *
 * <p>Extents and n are at most {@value #REACH}.
 *
 * @param reordered reordered packets
 * @param ratio their share of the packets that arrived, without copies (Type-P-Reordered-Ratio-Stream, §4.1); NaN if
 *     none arrived
 * @param extents the extents of the reordered packets
 * @param threeReordered packets that are n-reordered with n = 3
 * @param greatestN the greatest n of any packet, 0 if none is 1-reordered
 */
public record Reordering(long reordered, double ratio, CountStatistics extents, long threeReordered, long greatestN) {
    /** The greatest distance, in arrivals, over which a packet's place is searched. */
    static final int REACH = ArrivalOrder.REACH;

    /** The number of duplicate acknowledgments after which TCP retransmits (RFC 5681 §3.2). */
    private static final int DUPLICATE_ACKNOWLEDGMENTS = 3;

    static Reordering of(List<JoinedRun> runs) throws LagbenchException {
        long distinct = 0;
        long reordered = 0;
        for (JoinedRun run : runs) {
            distinct += run.sent() - run.counts().lost();
            reordered += run.counts().reordered();
        }
        CountStatistics extents = CountStatistics.of(
                consumer -> ArrivalOrder.forEachReordered(runs, (extent, n) -> consumer.accept(extent)));
        long[] three = {0};
        long[] greatest = {0};
        ArrivalOrder.forEachReordered(runs, (extent, n) -> {
            three[0] += n >= DUPLICATE_ACKNOWLEDGMENTS ? 1 : 0;
            greatest[0] = Math.max(greatest[0], n);
        });
        return new Reordering(reordered, Ratio.of(reordered, distinct), extents, three[0], greatest[0]);
    }
}

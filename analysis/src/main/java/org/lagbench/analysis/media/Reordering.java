package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * How far packets came out of order (RFC 4737), copies left out. A packet is reordered (§3.3) if one with a greater
 * sequence number came before it. With s[i] the sequence number of arrival i:
 *
 * <ul>
 *   <li>the extent (§4.2) of a reordered arrival i is i − j for the least j with s[j] > s[i]: how many places late it
 *       came;
 *   <li>arrival i is n-reordered (§5.3) if s[j] > s[i] for all j from i − n to i − 1: how many packets that came just
 *       before it were sent after it. A TCP sender takes a 3-reordered packet for lost, and so sends it again.
 * </ul>
 *
 * <p>Extents and n beyond {@value #REACH} places are taken for {@value #REACH}.
 *
 * @param reordered reordered packets
 * @param ratio their share of the packets that came, copies left out (Type-P-Reordered-Ratio-Stream, §4.1); NaN if none
 *     came
 * @param extents the extents of the reordered packets
 * @param threeReordered packets that are n-reordered with n = 3
 * @param greatestN the greatest n of any packet, 0 if none is 1-reordered
 */
public record Reordering(long reordered, double ratio, CountStatistics extents, long threeReordered, long greatestN) {
    /** How many places back a packet's place is looked for. */
    static final int REACH = ArrivalOrder.REACH;

    /** The duplicate acknowledgements after which TCP takes a packet for lost (RFC 5681 §3.2). */
    private static final int DUPLICATE_ACKNOWLEDGEMENTS = 3;

    static Reordering of(List<JoinedRun> runs) throws LagbenchException {
        long distinct = 0;
        long reordered = 0;
        for (JoinedRun run : runs) {
            distinct += run.sent() - run.counts().lost();
            reordered += run.counts().reordered();
        }
        if (reordered == 0) {
            return new Reordering(0, Ratio.of(0, distinct), CountStatistics.NONE, 0, 0);
        }
        CountStatistics extents = CountStatistics.of(consumer -> {
            for (JoinedRun run : runs) {
                ArrivalOrder.forEachReordered(run, (extent, n) -> consumer.accept(extent));
            }
        });
        long[] three = {0};
        long[] greatest = {0};
        for (JoinedRun run : runs) {
            ArrivalOrder.forEachReordered(run, (extent, n) -> {
                three[0] += n >= DUPLICATE_ACKNOWLEDGEMENTS ? 1 : 0;
                greatest[0] = Math.max(greatest[0], n);
            });
        }
        return new Reordering(reordered, Ratio.of(reordered, distinct), extents, three[0], greatest[0]);
    }
}

package org.lagbench.analysis.media;

import java.util.List;
import java.util.stream.Stream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * How far packets arrived out of order (RFC 4737), without copies. A packet is reordered (§3.3) if one with a greater
 * sequence number arrived before it. With s[i] the sequence number of arrival i:
 *
 * <ul>
 *   <li>the extent (§4.2) of a reordered arrival i is i − j for the smallest j with s[j] > s[i]: by how many places it
 *       is late;
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
 * @param greatestN the largest n of any packet, 0 if none is 1-reordered
 * @param arrived packets that arrived, without copies
 */
public record Reordering(
        long reordered, double ratio, CountStatistics extents, long threeReordered, long greatestN, long arrived) {
    private static final String TITLE = "Reordering";

    /** The metrics of reordering. */
    static final List<Metric<Reordering>> METRICS = Stream.of(
                    List.of(
                            Metric.packets("media.reordering.reordered", TITLE, "Packets", Reordering::reordered),
                            Metric.packets(
                                    "media.reordering.threeReordered",
                                    TITLE,
                                    "3-reordered",
                                    Reordering::threeReordered),
                            Metric.count(
                                    "media.reordering.greatestN",
                                    TITLE,
                                    "Largest n",
                                    "packets",
                                    Combination.MAX,
                                    Reordering::greatestN),
                            Metric.quotient(
                                    "media.reordering.ratio", TITLE, "Share", Reordering::ratio, Reordering::arrived)),
                    Metric.within(
                                    Reordering::extents,
                                    CountStatistics.metrics("media.reordering.extents.", "Reordering extent"))
                            .stream()
                            .map(Metric::zeroIfAbsent)
                            .toList())
            .flatMap(List::stream)
            .toList();

    /** The largest distance, in arrivals, over which a packet's place is searched. */
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
        long[] max = {0};
        ArrivalOrder.forEachReordered(runs, (extent, n) -> {
            three[0] += n >= DUPLICATE_ACKNOWLEDGMENTS ? 1 : 0;
            max[0] = Math.max(max[0], n);
        });
        return new Reordering(reordered, (double) reordered / distinct, extents, three[0], max[0], distinct);
    }

    /**
     * Finds how far each reordered arrival of a run is out of place. The first arrival with a greater sequence number
     * than a late one was itself greater than all before it; so a bisection among those maxima finds it.
     *
     * <p>Keeps the last {@value #REACH} arrivals and as many maxima: 1.5 MiB.
     */
    static final class ArrivalOrder {
        /** A power of 2. */
        static final int REACH = 1 << 16;

        private static final int MASK = REACH - 1;

        private final long[] recent = new long[REACH];
        private final long[] maximumPackets = new long[REACH];
        private final long[] maximumPlaces = new long[REACH];
        private final ReorderedConsumer consumer;
        private long arrivals;
        private long maxima;

        private ArrivalOrder(ReorderedConsumer consumer) {
            this.consumer = consumer;
        }

        /** Accepts the extent of a reordered packet, and the largest n for which it is n-reordered. */
        interface ReorderedConsumer {
            void accept(long extent, long n);
        }

        static void forEachReordered(List<JoinedRun> runs, ReorderedConsumer consumer) throws LagbenchException {
            for (JoinedRun run : runs) {
                if (run.counts().reordered() > 0) {
                    ArrivalOrder order = new ArrivalOrder(consumer);
                    run.forEachFirstCopy((arrival, packet) -> order.accept(packet));
                }
            }
        }

        private void accept(long packet) {
            if (maxima == 0 || packet > maximumPackets[(int) (maxima - 1) & MASK]) {
                maximumPackets[(int) maxima & MASK] = packet;
                maximumPlaces[(int) maxima & MASK] = arrivals;
                maxima++;
            } else {
                consumer.accept(Math.min(REACH, arrivals - placeOfFirstGreater(packet)), greaterJustBefore(packet));
            }
            recent[(int) arrivals & MASK] = packet;
            arrivals++;
        }

        private long placeOfFirstGreater(long packet) {
            long first = Bisection.first(
                    Math.max(0, maxima - REACH), maxima - 1, maximum -> maximumPackets[(int) maximum & MASK] > packet);
            return maximumPlaces[(int) first & MASK];
        }

        private long greaterJustBefore(long packet) {
            long farthest = Math.min(arrivals, REACH);
            long n = 0;
            while (n < farthest && recent[(int) (arrivals - 1 - n) & MASK] > packet) {
                n++;
            }
            return n;
        }
    }
}

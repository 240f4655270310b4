package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds how far each reordered arrival of a run is out of place. The first arrival with a greater sequence number than
 * a late one was itself greater than all before it; so a bisection among those maxima finds it.
 *
 * <p>Keeps the last {@value #REACH} arrivals and as many maxima: 1.5 MiB.
 */
final class ArrivalOrder {
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

    /** Accepts the extent of a reordered packet, and the greatest n for which it is n-reordered. */
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

package org.lagbench.analysis.media;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds for each reordered arrival of a run how far it is out of its place. The first arrival with a greater sequence
 * number than a late one's was itself greater than all before it; so it is looked for, by bisection, among those alone.
 *
 * <p>Holds the last {@value #REACH} arrivals and as many of those greatest so far: 1.5 MiB.
 */
final class ArrivalOrder {
    /** A power of 2. */
    static final int REACH = 1 << 16;

    private static final int MASK = REACH - 1;

    private final long[] recent = new long[REACH];
    private final long[] greatestPackets = new long[REACH];
    private final long[] greatestPlaces = new long[REACH];
    private final ReorderedConsumer consumer;

    /** How many arrivals there were, and how many of them were greater than all before. */
    private long arrivals;

    private long greatest;

    private ArrivalOrder(ReorderedConsumer consumer) {
        this.consumer = consumer;
    }

    /** Takes what was found of one reordered packet: its extent, and the greatest n with which it is n-reordered. */
    interface ReorderedConsumer {
        void accept(long extent, long n);
    }

    static void forEachReordered(JoinedRun run, ReorderedConsumer consumer) throws LagbenchException {
        if (run.counts().reordered() > 0) {
            ArrivalOrder order = new ArrivalOrder(consumer);
            for (long i = 0; i < run.received(); i++) {
                if (run.isFirstCopy(i)) {
                    order.accept(run.packetOf(i));
                }
            }
        }
    }

    private void accept(long packet) {
        if (greatest == 0 || packet > greatestPackets[(int) (greatest - 1) & MASK]) {
            greatestPackets[(int) greatest & MASK] = packet;
            greatestPlaces[(int) greatest & MASK] = arrivals;
            greatest++;
        } else {
            consumer.accept(Math.min(REACH, arrivals - placeOfFirstGreater(packet)), greaterJustBefore(packet));
        }
        recent[(int) arrivals & MASK] = packet;
        arrivals++;
    }

    private long placeOfFirstGreater(long packet) {
        long low = Math.max(0, greatest - REACH);
        long high = greatest - 1;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (greatestPackets[(int) middle & MASK] > packet) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return greatestPlaces[(int) low & MASK];
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

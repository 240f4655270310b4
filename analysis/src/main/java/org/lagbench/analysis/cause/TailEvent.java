package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Packets of a tail that queued one behind the other: what delayed the first delayed all.
 *
 * @param slowest the ledger of the packet with the largest lag
 * @param packets the number of packets
 * @param first the lowest number of a packet
 * @param last the highest number of a packet
 */
public record TailEvent(Ledger slowest, long packets, long first, long last) {
    /** Returns the event of one packet. */
    public static TailEvent of(Ledger ledger) {
        return new TailEvent(ledger, 1, ledger.packet(), ledger.packet());
    }

    /**
     * Returns the events of a run with the largest transmit lag, the largest first.
     *
     * @param count how many at most
     * @return none if a side did not record causes, or if no packet is above Q99
     */
    public static List<TailEvent> slowest(JoinedRun run, int count) throws LagbenchException {
        PriorityQueue<TailEvent> slowest =
                new PriorityQueue<>(Comparator.comparingLong(event -> event.slowest.lagNs()));
        TailScan scan = Ledger.scan(run, Tail.DEFAULT);
        TailEvent current = null;
        long queue = 0;
        for (long i = 0; scan != null && i < run.received(); i++) {
            if (scan.advance(i)) {
                Ledger ledger = scan.ledger();
                if (current != null && scan.queue() == queue) {
                    current = current.plus(ledger);
                } else {
                    keep(slowest, current, count);
                    current = of(ledger);
                    queue = scan.queue();
                }
            }
        }
        keep(slowest, current, count);
        List<TailEvent> sorted = new ArrayList<>(slowest);
        sorted.sort(slowest.comparator().reversed());
        return sorted;
    }

    private static void keep(PriorityQueue<TailEvent> slowest, @Nullable TailEvent event, int count) {
        if (event != null) {
            slowest.add(event);
            if (slowest.size() > count) {
                slowest.remove();
            }
        }
    }

    private TailEvent plus(Ledger packet) {
        return new TailEvent(
                packet.lagNs() > slowest.lagNs() ? packet : slowest,
                packets + 1,
                Math.min(first, packet.packet()),
                Math.max(last, packet.packet()));
    }
}

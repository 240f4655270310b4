package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Packets of a tail that queued one behind the other: what delayed the first delayed all.
 *
 * @param slowest the ledger of the packet with the largest lag
 * @param cause what made it slower than usual packets; null if that is not explained, or if it was not slower
 * @param packets the number of packets
 * @param first the lowest number of a packet
 * @param last the highest number of a packet
 */
public record TailEvent(Ledger slowest, @Nullable SideCause cause, long packets, long first, long last) {
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
                TailEvent packet = of(scan);
                if (current != null && scan.queue() == queue) {
                    current = current.plus(packet);
                } else {
                    keep(slowest, current, count);
                    current = packet;
                    queue = scan.queue();
                }
            }
        }
        keep(slowest, current, count);
        List<TailEvent> sorted = new ArrayList<>(slowest);
        sorted.sort(slowest.comparator().reversed());
        return sorted;
    }

    /**
     * Returns one packet of a run as an event.
     *
     * @param name the run's name, for messages
     * @throws LagbenchException if causes were not recorded, or if the packet did not arrive
     */
    public static TailEvent of(String name, JoinedRun run, long packet) throws LagbenchException {
        TailScan scan = Ledger.scan(run, Tail.DEFAULT);
        if (scan == null) {
            throw ExitCode.USAGE.failure(name + ": causes were not recorded (observe: events) by both sides.");
        }
        for (long i = 0; i < run.received(); i++) {
            scan.advance(i);
            if (run.packetOf(i) == packet && run.isFirstCopy(i)) {
                return of(scan);
            }
        }
        boolean wasSent = packet >= 0 && packet < run.sent();
        throw ExitCode.USAGE.failure(
                wasSent
                        ? name + ": packet " + packet
                                + (run.isRestricted()
                                        ? " is not in an observed window, or did not arrive."
                                        : " did not arrive.")
                        : name + ": there is no packet " + packet + "; the run sent packets 0 to " + (run.sent() - 1)
                                + ".");
    }

    /** Returns the event of the last arrival of a scan. */
    private static TailEvent of(TailScan scan) throws LagbenchException {
        Ledger ledger = scan.ledger();
        return new TailEvent(ledger, scan.excess(ledger).cause(), 1, ledger.packet(), ledger.packet());
    }

    private static void keep(PriorityQueue<TailEvent> slowest, @Nullable TailEvent event, int count) {
        if (event != null) {
            slowest.add(event);
            if (slowest.size() > count) {
                slowest.remove();
            }
        }
    }

    private TailEvent plus(TailEvent packet) {
        TailEvent slower = packet.slowest.lagNs() > slowest.lagNs() ? packet : this;
        return new TailEvent(
                slower.slowest, slower.cause, packets + 1, Math.min(first, packet.first), Math.max(last, packet.last));
    }
}

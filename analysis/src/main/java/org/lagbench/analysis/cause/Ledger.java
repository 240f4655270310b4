package org.lagbench.analysis.cause;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.failure.LagbenchException;

/**
 * The parts of one packet's lag. Only a part on the path can be negative: where the clocks differ by more than the
 * packet was on its way.
 *
 * @param packet the packet's number, from 0
 * @param lagNs its lag, in ns: the sum of the parts
 * @param clockBoundNs ± the error of the lag and of its part on the path because of the clocks, in ns; null if unknown
 * @param parts the parts, which begin since the packet's departure
 */
public record Ledger(long packet, long lagNs, @Nullable Long clockBoundNs, Parts parts) {
    /** Accepts ledgers. */
    @FunctionalInterface
    public interface LedgerConsumer {
        /** Accepts a ledger. */
        void accept(Ledger ledger) throws LagbenchException;
    }

    /**
     * Passes the ledgers of the packets of a run in a tail of the transmit lag to a consumer, in the order of arrival.
     *
     * @return false if a side did not record causes, or if no packet arrived
     */
    public static boolean forEachSlow(JoinedRun run, Tail tail, LedgerConsumer consumer) throws LagbenchException {
        TailScan scan = scan(run, tail);
        for (long i = 0; scan != null && i < run.received(); i++) {
            if (scan.advance(i)) {
                consumer.accept(scan.ledger());
            }
        }
        return scan != null;
    }

    /** Returns the ledgers of at most this many packets above Q99, in descending order of the lag. */
    public static List<Ledger> slowest(JoinedRun run, int count) throws LagbenchException {
        PriorityQueue<Ledger> slowest = new PriorityQueue<>(Comparator.comparingLong(Ledger::lagNs));
        forEachSlow(run, Tail.DEFAULT, ledger -> {
            slowest.add(ledger);
            if (slowest.size() > count) {
                slowest.remove();
            }
        });
        return slowest.stream()
                .sorted(Comparator.comparingLong(Ledger::lagNs).reversed())
                .toList();
    }

    /** Returns a scan of the transmit lag; null if a side did not record causes, or if no packet arrived. */
    static @Nullable TailScan scan(JoinedRun run, Tail tail) throws LagbenchException {
        RunCauses causes = run.received() == 0 ? null : RunCauses.open(run, tail);
        return causes == null
                ? null
                : causes.attribution(PacketDelay.TRANSMIT_LAG).scan();
    }

    /** Returns the parts as text, the largest first: "Run queue: cc1 at the receiver 28 µs, not explained 2 µs". */
    public String text() {
        Map<String, Long> sums = new HashMap<>();
        parts.byCause().forEach((cause, ns) -> sums.put(cause.title() + cause.place(), ns));
        for (Part part : parts.parts()) {
            if (part.cause() == null) {
                sums.merge(
                        "not explained"
                                + (part.side() == null ? "" : part.side().place()),
                        part.ns(),
                        Long::sum);
            }
        }
        return sums.entrySet().stream()
                .filter(sum -> sum.getValue() != 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(sum -> sum.getKey() + " " + us(sum.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String us(long ns) {
        return BigDecimal.valueOf(ns, 3).setScale(Math.abs(ns) < 10_000 ? 1 : 0, RoundingMode.HALF_EVEN) + " µs";
    }
}

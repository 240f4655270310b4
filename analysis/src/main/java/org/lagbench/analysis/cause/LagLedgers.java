package org.lagbench.analysis.cause;

import java.util.List;
import java.util.stream.Stream;
import org.lagbench.core.run.Metric;

/**
 * The ledgers of one lag of the packets of a run, or of several, summed over sets of packets.
 *
 * @param tail the slow packets, with what made them slower than those next to the median
 */
public record LagLedgers(LedgerTotal all, LedgerTotal median, LedgerTotal tail) {
    /**
     * Returns the metrics of the ledgers of a lag.
     *
     * @param id the beginning of their ids: "ledger.lag."
     * @param title the lag: "Transmit lag"
     */
    static List<Metric<LagLedgers>> metrics(String id, String title) {
        return Stream.of(
                        Metric.within(
                                LagLedgers::all, LedgerTotal.metrics(id + "all.", title + " of all packets", false)),
                        Metric.within(
                                LagLedgers::median,
                                LedgerTotal.metrics(id + "median.", title + " next to the median", false)),
                        Metric.within(
                                LagLedgers::tail, LedgerTotal.metrics(id + "tail.", title + " of slow packets", true)))
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the sum over a set of packets. */
    public LedgerTotal of(PacketSet set) {
        return switch (set) {
            case ALL -> all;
            case MEDIAN -> median;
            case TAIL -> tail;
        };
    }

    LagLedgers plus(LagLedgers other) {
        return new LagLedgers(all.plus(other.all), median.plus(other.median), tail.plus(other.tail));
    }
}

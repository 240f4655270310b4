package org.lagbench.analysis.cause;

import java.util.List;
import org.lagbench.core.run.Metric;

/**
 * How many arrivals have a stamp of the receiving kernel.
 *
 * @param arrivals number of packets that arrived, copies included
 * @param stamped number of them with their own stamp
 * @param joined number of them that share the stamp of a later packet of a stream
 * @param assumed number of them without a stamp, where no network lies between the sides
 */
public record StampCounts(long arrivals, long stamped, long joined, long assumed) {
    static final List<Metric<StampCounts>> METRICS = List.of(
            count("arrivals", "Arrivals", StampCounts::arrivals),
            count("stamped", "Own stamp", StampCounts::stamped),
            count("joined", "Joined", StampCounts::joined),
            count("assumed", "Assumed", StampCounts::assumed));

    private static Metric<StampCounts> count(String name, String statistic, Metric.Getter<StampCounts> packets) {
        return Metric.packets("ledger.stamps." + name, "Receive stamps", statistic, packets)
                .higherIsBetter();
    }

    /** Returns the sum of these counts and others. */
    StampCounts plus(StampCounts other) {
        return new StampCounts(
                arrivals + other.arrivals, stamped + other.stamped, joined + other.joined, assumed + other.assumed);
    }
}

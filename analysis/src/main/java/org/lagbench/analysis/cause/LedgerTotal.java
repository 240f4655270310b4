package org.lagbench.analysis.cause;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The sum of the ledgers of some packets.
 *
 * @param packets their number
 * @param parts the sum of each part, in order
 * @param notExplained the sum of what is not explained
 * @param notExplainedNs how much of it stamps enclose on one side, in ns, by that side
 */
public record LedgerTotal(
        long packets, Map<SideCause, PartTotal> parts, PartTotal notExplained, Map<Role, Long> notExplainedNs) {
    public static final LedgerTotal NONE = new LedgerTotal(0, Map.of(), PartTotal.NONE, Map.of());

    /**
     * Returns the metrics of the sum over a set of packets.
     *
     * @param isOfTail whether they are slow, and so have what made them slow
     */
    static List<Metric<LedgerTotal>> metrics(String id, String title, boolean isOfTail) {
        return Stream.of(
                        isOfTail // then the whole has the number
                                ? List.<Metric<LedgerTotal>>of()
                                : List.of(Metric.packets(id + "packets", title, "Packets", LedgerTotal::packets)
                                        .higherIsBetter()),
                        Metric.within(LedgerTotal::total, PartTotal.metrics(id, title, isOfTail)),
                        Metric.within(
                                LedgerTotal::notExplained,
                                PartTotal.metrics(id + "notExplained.", title + ": not explained", isOfTail)),
                        List.of(Metric.<Long>time(
                                        "time", title + ": not explained on a side", "Sum", Combination.SUM, ns -> ns)
                                .inFamily(
                                        id + "notExplained.*.",
                                        (LedgerTotal total) -> Metric.entries(
                                                id + "notExplained.", total.notExplainedNs, Role::text, "."))
                                .zeroIfAbsent()),
                        PartTotal.metrics("", title + ": a part", isOfTail).stream()
                                .map(metric -> metric.inFamily(
                                                id + "parts.*.",
                                                (LedgerTotal total) -> Metric.entries(
                                                        id + "parts.", total.parts, SideCause::text, "."))
                                        .zeroIfAbsent())
                                .toList())
                .flatMap(List::stream)
                .toList();
    }

    public LedgerTotal {
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
        notExplainedNs = Collections.unmodifiableMap(new TreeMap<>(notExplainedNs));
    }

    /** Returns the side on which stamps enclose all that is not explained; null if it is not known for all. */
    public @Nullable Role notExplainedSide() {
        return notExplainedNs.entrySet().stream()
                .filter(side -> side.getValue() == notExplained.ns())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Returns the whole lags: the sum of all parts. */
    public PartTotal total() {
        return parts.values().stream().reduce(notExplained, PartTotal::plus);
    }

    LedgerTotal plus(LedgerTotal other) {
        Map<SideCause, PartTotal> sum = new TreeMap<>(parts);
        other.parts.forEach((cause, part) -> sum.merge(cause, part, PartTotal::plus));
        Map<Role, Long> sidesNs = new TreeMap<>(notExplainedNs);
        other.notExplainedNs.forEach((side, ns) -> sidesNs.merge(side, ns, Long::sum));
        return new LedgerTotal(packets + other.packets, sum, notExplained.plus(other.notExplained), sidesNs);
    }

    /**
     * The sum of one part.
     *
     * @param ns how long it was, in ns
     * @param excessNs how much the slow packets exceed the median by it, in ns; 0 of other packets
     * @param packets the number of slow packets whose main cause it is; 0 of other packets
     */
    public record PartTotal(long ns, double excessNs, long packets) {
        public static final PartTotal NONE = new PartTotal(0, 0, 0);

        private static List<Metric<PartTotal>> metrics(String id, String title, boolean isOfTail) {
            Metric<PartTotal> time = Metric.time(id + "time", title, "Sum", Combination.SUM, PartTotal::ns);
            return isOfTail
                    ? List.of(
                            time,
                            Metric.time(id + "excess", title, "Excess", Combination.SUM, PartTotal::excessNs),
                            Metric.packets(id + "packets", title, "Packets", PartTotal::packets))
                    : List.of(time);
        }

        /** Returns the sum of this part and another. */
        public PartTotal plus(PartTotal other) {
            return new PartTotal(ns + other.ns, excessNs + other.excessNs, packets + other.packets);
        }
    }
}

package org.lagbench.analysis.cause;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The causes of the {@link Tail} of a series.
 *
 * @param byCause the share of each cause that has one, in order
 * @param unexplained the share without a cause
 */
public record TailCauses(Map<SideCause, TailShare> byCause, TailShare unexplained) {
    public static final TailCauses NONE = new TailCauses(Map.of(), TailShare.NONE);

    /** Returns the metrics of a tail. */
    static List<Metric<TailCauses>> metrics(String id, String ofCause, String ofTail) {
        Function<TailCauses, Map<String, TailShare>> causes =
                tail -> Metric.entries(id + "byCause.", tail.byCause, SideCause::text, ".");
        String family = id + "byCause.*.";
        return List.of(
                Metric.packets("packets", ofCause, "Packets", TailShare::packets)
                        .inFamily(family, causes)
                        .zeroIfAbsent(),
                Metric.time("excess", ofCause, "Excess", Combination.SUM, TailShare::excessNs)
                        .inFamily(family, causes)
                        .zeroIfAbsent(),
                Metric.packets(id + "unexplained.packets", ofTail, "Unexplained packets", TailShare::packets)
                        .within(TailCauses::unexplained),
                Metric.packets(id + "total.packets", ofTail, "Packets", TailShare::packets)
                        .within(TailCauses::total),
                Metric.time(
                                id + "unexplained.excess",
                                ofTail,
                                "Unexplained excess",
                                Combination.SUM,
                                TailShare::excessNs)
                        .within(TailCauses::unexplained),
                Metric.time(id + "total.excess", ofTail, "Excess", Combination.SUM, TailShare::excessNs)
                        .within(TailCauses::total));
    }

    public TailCauses {
        byCause = Collections.unmodifiableMap(new TreeMap<>(byCause));
    }

    /** Returns the causes of one packet, which counts for its main cause. */
    static TailCauses of(Excess excess) {
        SideCause main = excess.cause();
        Map<SideCause, TailShare> shares = new HashMap<>();
        excess.byCause().forEach((cause, ns) -> shares.put(cause, new TailShare(cause.equals(main) ? 1 : 0, ns)));
        return new TailCauses(shares, new TailShare(main == null ? 1 : 0, excess.unexplainedNs()));
    }

    /** Returns the whole tail. */
    public TailShare total() {
        return byCause.values().stream().reduce(unexplained, TailShare::plus);
    }

    /** Returns the sum of these shares and others. */
    public TailCauses plus(TailCauses other) {
        Map<SideCause, TailShare> sum = new HashMap<>(byCause);
        other.byCause.forEach((cause, share) -> sum.merge(cause, share, TailShare::plus));
        return new TailCauses(sum, unexplained.plus(other.unexplained));
    }

    /**
     * A share of a tail.
     *
     * @param packets number of packets
     * @param excessNs the sum of their lags above the median, in ns
     */
    public record TailShare(long packets, double excessNs) {
        public static final TailShare NONE = new TailShare(0, 0);

        /** Returns the sum of this share and another. */
        public TailShare plus(TailShare other) {
            return new TailShare(packets + other.packets, excessNs + other.excessNs);
        }
    }
}

package org.lagbench.analysis.cause;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * What made the values of a series that are the {@link Tail} of their run.
 *
 * @param byCause what each cause made, in the order of side and rank; causes that made nothing are left out
 * @param unexplained what none made
 */
public record TailCauses(Map<SideCause, TailShare> byCause, TailShare unexplained) {
    static final Comparator<SideCause> ORDER =
            Comparator.comparing(SideCause::side).thenComparing(SideCause::cause);

    /** Of no tail. */
    public static final TailCauses NONE = new TailCauses(Map.of(), TailShare.NONE);

    public TailCauses {
        TreeMap<SideCause, TailShare> ordered = new TreeMap<>(ORDER);
        ordered.putAll(byCause);
        byCause = Collections.unmodifiableMap(ordered);
    }

    /** The whole tail. */
    public TailShare total() {
        return byCause.values().stream().reduce(unexplained, TailShare::plus);
    }

    /** Of both together. */
    public TailCauses plus(TailCauses other) {
        TreeMap<SideCause, TailShare> sum = new TreeMap<>(ORDER);
        sum.putAll(byCause);
        other.byCause.forEach((cause, share) -> sum.merge(cause, share, TailShare::plus));
        return new TailCauses(sum, unexplained.plus(other.unexplained));
    }
}

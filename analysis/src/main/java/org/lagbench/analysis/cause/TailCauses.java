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
public record TailCauses(Map<SideCause, Share> byCause, Share unexplained) {
    static final Comparator<SideCause> ORDER =
            Comparator.comparing(SideCause::side).thenComparing(SideCause::cause);

    /** Of no tail. */
    public static final TailCauses NONE = new TailCauses(Map.of(), Share.NONE);

    public TailCauses {
        TreeMap<SideCause, Share> ordered = new TreeMap<>(ORDER);
        ordered.putAll(byCause);
        byCause = Collections.unmodifiableMap(ordered);
    }

    /** The whole tail. */
    public Share total() {
        return byCause.values().stream().reduce(unexplained, Share::plus);
    }

    /** Of both together. */
    public TailCauses plus(TailCauses other) {
        TreeMap<SideCause, Share> sum = new TreeMap<>(ORDER);
        sum.putAll(byCause);
        other.byCause.forEach((cause, share) -> sum.merge(cause, share, Share::plus));
        return new TailCauses(sum, unexplained.plus(other.unexplained));
    }
}

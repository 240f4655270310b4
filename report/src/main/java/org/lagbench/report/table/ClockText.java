package org.lagbench.report.table;

import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.core.clock.ClockBound;

/** Formats what is known of clocks. */
public final class ClockText {
    private ClockText() {}

    /** Returns the bases of bounds: "chrony", or "chrony, two-way" if there are several. */
    public static String bases(Set<ClockBound.Basis> bases) {
        return bases.stream()
                .map(basis -> basis == ClockBound.Basis.SAME_KERNEL ? "one kernel" : basis.text())
                .collect(Collectors.joining(", "));
    }

    /** Returns a bound with its basis: "± 6.0 µs (chrony)". */
    public static String bound(ClockEffect clock) {
        return Numbers.plusMinus(clock.boundNs()) + (clock.boundNs() == null ? "" : " (" + bases(clock.bases()) + ")");
    }
}

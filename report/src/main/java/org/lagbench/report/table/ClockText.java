package org.lagbench.report.table;

import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.ClockFigures;
import org.lagbench.core.clock.ClockBound;

/** How clocks are spoken of in tables and files. */
public final class ClockText {
    private ClockText() {}

    /** What bounds rest on, for people: "chrony"; of several "chrony, two-way". */
    public static String bases(Set<ClockBound.Basis> bases) {
        return bases.stream()
                .map(basis -> basis == ClockBound.Basis.SAME_KERNEL ? "one kernel" : basis.text())
                .collect(Collectors.joining(", "));
    }

    /** The bound and what it rests on: "± 6.0 µs (chrony)". */
    public static String bound(ClockFigures clock) {
        return Numbers.plusMinus(clock.boundNs()) + (clock.boundNs() == null ? "" : " (" + bases(clock.bases()) + ")");
    }

    /** Whether both sides of a run had one clock. */
    static boolean isOneClock(ClockFigures clock) {
        return clock.bases().equals(Set.of(ClockBound.Basis.SAME_KERNEL));
    }
}

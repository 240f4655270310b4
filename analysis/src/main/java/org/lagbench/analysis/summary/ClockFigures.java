package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;

/**
 * The effect of the clocks on lags.
 *
 * @param boundNs ± how far a lag may be off because of the clocks, in ns, the greatest of the runs; null if unknown for
 *     one
 * @param bases the bases of the runs' bounds
 * @param accepted names of the runs that were made although the bound exceeded the experiment's limit
 * @param negativeBeyondBound packets received before they were sent by more than the bound of their run; null if
 *     unknown
 * @param marks further warnings for the reader
 */
public record ClockFigures(
        @Nullable Long boundNs,
        Set<ClockBound.Basis> bases,
        List<String> accepted,
        @Nullable Long negativeBeyondBound,
        List<ClockMark> marks) {
    public ClockFigures {
        bases = Collections.unmodifiableSet(EnumSet.copyOf(bases));
        accepted = List.copyOf(accepted);
        marks = List.copyOf(marks);
    }

    static ClockFigures of(List<OpenRun> runs) {
        Long greatest = 0L;
        Long beyond = 0L;
        Set<ClockBound.Basis> bases = EnumSet.noneOf(ClockBound.Basis.class);
        List<String> accepted = new ArrayList<>();
        List<ClockMark> marks = new ArrayList<>();
        for (OpenRun run : runs) {
            RunClock clock = run.clock();
            greatest = greatest == null || clock.boundNs() == null ? null : Math.max(greatest, clock.boundNs());
            beyond =
                    beyond == null || clock.negativeBeyondBound() == null ? null : beyond + clock.negativeBeyondBound();
            bases.add(clock.basis());
            if (clock.accepted()) {
                accepted.add(run.name());
            }
            clock.marks().forEach(sentence -> marks.add(new ClockMark(run.name(), sentence)));
        }
        return new ClockFigures(greatest, bases, accepted, beyond, marks);
    }
}

package org.lagbench.analysis.summary;

import java.util.Set;
import org.lagbench.analysis.cause.Tail;

/**
 * What goes into a summary.
 *
 * @param includeBroken whether runs that broke off or were interrupted are pooled with the complete ones, as far as
 *     their captures go
 * @param corrected whether the offset of the clocks is estimated, and taken from the transmit lag beside the raw one
 * @param tail the values of the lag that are given causes
 * @param details what it holds beyond lags
 */
public record SummaryOptions(boolean includeBroken, boolean corrected, Tail tail, Set<Detail> details) {
    /** Complete runs only, as stamped, with all details. */
    public static final SummaryOptions DEFAULT = new SummaryOptions(false, false);

    public SummaryOptions {
        details = Set.copyOf(details);
    }

    /** With all details. */
    public SummaryOptions(boolean includeBroken, boolean corrected, Tail tail) {
        this(includeBroken, corrected, tail, Detail.ALL);
    }

    /** With all details, and the causes of the usual tail. */
    public SummaryOptions(boolean includeBroken, boolean corrected) {
        this(includeBroken, corrected, Tail.DEFAULT);
    }

    boolean asksFor(Detail detail) {
        return details.contains(detail);
    }
}

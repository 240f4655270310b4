package org.lagbench.analysis.summary;

import org.lagbench.analysis.cause.Tail;

/**
 * What goes into a summary.
 *
 * @param includeBroken whether runs that broke off or were interrupted are pooled with the complete ones, as far as their
 *     captures go
 * @param corrected whether the offset of the clocks is estimated, and taken from the transmit lag beside the raw one
 * @param tail the values of the lag that are given causes
 */
public record SummaryOptions(boolean includeBroken, boolean corrected, Tail tail) {
    /** Complete runs only, as stamped. */
    public static final SummaryOptions DEFAULT = new SummaryOptions(false, false, Tail.DEFAULT);

    /** With the causes of the usual tail. */
    public SummaryOptions(boolean includeBroken, boolean corrected) {
        this(includeBroken, corrected, Tail.DEFAULT);
    }
}

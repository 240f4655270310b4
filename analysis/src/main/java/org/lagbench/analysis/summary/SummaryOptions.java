package org.lagbench.analysis.summary;

/**
 * What goes into a summary.
 *
 * @param includeBroken whether runs that broke off or were interrupted are pooled with the complete ones, as far as their
 *     captures go
 * @param corrected whether the offset of the clocks is estimated, and taken from the transmit lag beside the raw one
 */
public record SummaryOptions(boolean includeBroken, boolean corrected) {
    /** Complete runs only, as stamped. */
    public static final SummaryOptions DEFAULT = new SummaryOptions(false, false);
}

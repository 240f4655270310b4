package org.lagbench.core.model;

/**
 * Random times in which a link loses every packet: a gap, a burst, a gap and so on, drawn from the network's seed and
 * the number of the repeat.
 *
 * @param everyNs mean time from the start of a burst to the start of the next, in ns
 * @param forNs mean length of a burst in ns, less than {@code everyNs}
 */
public record Bursts(long everyNs, long forNs, Lengths lengths) {
    /** The distribution of the lengths of bursts and gaps. */
    public enum Lengths implements TextEnum {
        /** All bursts have the same length, and all gaps have the same length. */
        FIXED,
        /** Exponentially distributed: a two-state Markov chain in time. */
        EXPONENTIAL
    }
}

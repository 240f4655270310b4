package org.lagbench.core.model;

/**
 * A time in which a link loses every packet. Times count from the first recorded packet of a run.
 *
 * @param startNs when it starts, in ns
 * @param stopNs when it stops, in ns, after its start
 */
public record Outage(long startNs, long stopNs) {
    /** The maximum number of outages of a link's direction. */
    public static final int MAXIMUM_OUTAGES = 16;

    /** Latest start and stop in ns. */
    public static final long MAXIMUM_NS = 86_400_000_000_000L;
}

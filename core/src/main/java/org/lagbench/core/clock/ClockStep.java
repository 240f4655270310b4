package org.lagbench.core.clock;

/**
 * Somebody set CLOCK_REALTIME.
 *
 * @param atNs when it was noticed, on the clock as it was set, in ns since the epoch
 * @param sizeNs by how much it was set forward in ns; below 0, back
 */
public record ClockStep(long atNs, long sizeNs) {}

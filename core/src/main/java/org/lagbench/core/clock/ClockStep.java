package org.lagbench.core.clock;

/**
 * A step of CLOCK_REALTIME.
 *
 * @param atNs when it was detected, on the stepped clock, in ns since the epoch
 * @param sizeNs the size in ns; negative if the clock was set back
 */
public record ClockStep(long atNs, long sizeNs) {}

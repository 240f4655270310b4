package org.lagbench.core.run;

import org.lagbench.core.model.Key;

/**
 * An experiment's requirements of the hosts besides their clocks.
 *
 * @param maximumOtherLoadPpm the part of all CPUs' time during a run, in millionths, above which the load by other
 *     programs and virtual machines marks the run
 */
public record MachinePolicy(@Key("max-other-load") int maximumOtherLoadPpm) {
    /** All of the CPU time. */
    public static final int ALL_PPM = 1_000_000;

    /** The default: a tenth. */
    public static final MachinePolicy DEFAULT = new MachinePolicy(ALL_PPM / 10);
}

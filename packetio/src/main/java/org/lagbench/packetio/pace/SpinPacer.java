package org.lagbench.packetio.pace;

import org.lagbench.core.run.Pace;

/** Looks at the clock without pause until the packet is due. */
final class SpinPacer extends IntervalPacer {
    SpinPacer(Pace pace, Clocks clocks) {
        super(pace, clocks);
    }

    @Override
    long waitUntil(long dueNs) throws InterruptedException {
        return spinUntil(dueNs);
    }
}

package org.lagbench.packetio.engine;

import org.lagbench.core.run.Pace;

/** Reads the clock without pause until the packet is due. */
final class SpinPacer extends IntervalPacer {
    SpinPacer(Pace pace, Clocks clocks) {
        super(pace, clocks);
    }

    @Override
    long waitUntil(long dueNs) throws InterruptedException {
        return spinUntil(dueNs);
    }
}

package org.lagbench.packetio.engine;

import org.lagbench.core.run.Pace;

/** Sleeps until shortly before the packet is due, then reads the clock without pause. */
final class HybridPacer extends SleepPacer {
    /**
     * The sleep ends this long before a packet is due, in ns. With a timer slack of 1 ns, 99 % of sleeps end less late
     * than that. A longer time would spend more CPU time on spinning.
     */
    static final long SPIN_NS = 50_000;

    HybridPacer(Pace pace, Clocks clocks) {
        super(pace, clocks);
    }

    @Override
    long waitUntil(long dueNs) throws InterruptedException {
        sleepUntil(dueNs - SPIN_NS);
        return spinUntil(dueNs);
    }
}

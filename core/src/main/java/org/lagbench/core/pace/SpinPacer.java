package org.lagbench.core.pace;

/** Looks at the clock without pause until the packet is due. */
final class SpinPacer extends IntervalPacer {
    SpinPacer(long intervalNs, Clocks clocks) {
        super(intervalNs, clocks);
    }

    @Override
    long waitUntil(long dueNs) throws InterruptedException {
        return spinUntil(dueNs);
    }
}

package org.lagbench.packetio.engine;

import org.lagbench.core.capture.SenderCapture;

/** Never waits. */
final class FloodPacer extends Pacer {
    @Override
    public void start() {
        // a flood has no schedule
    }

    @Override
    public long await(long index) throws InterruptedException {
        throwIfStopped();
        return SenderCapture.UNSCHEDULED;
    }
}

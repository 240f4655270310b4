package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.run.Pace;

/** Sleeps until the packet is due, with the thread's timer slack at its minimum. */
class SleepPacer extends IntervalPacer {
    private @Nullable String slackFailure;
    private @Nullable Long slackNs;

    SleepPacer(Pace pace, Clocks clocks) {
        super(pace, clocks);
    }

    @Override
    public void start() {
        slackFailure = null;
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
            slackNs = TimerSlack.currentNs();
        } catch (IOException e) {
            slackFailure = "the timer slack was not lowered, so packets are sent later: " + e.getMessage();
        }
        super.start();
    }

    @Override
    long waitUntil(long dueNs) throws InterruptedException {
        return sleepUntil(dueNs);
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = super.metadata();
        metadata.put("sleepCall", sleepCall());
        if (slackFailure != null) {
            metadata.put("timerSlackFailure", slackFailure);
        } else if (slackNs != null) {
            metadata.put("timerSlackNs", slackNs);
        }
        return metadata;
    }
}

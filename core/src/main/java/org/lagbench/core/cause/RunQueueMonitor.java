package org.lagbench.core.cause;

import java.io.IOException;
import org.lagbench.core.time.RealtimeClock;

/**
 * Notes in a log how long a thread waited for a CPU. Another thread looks. Allocates nothing at a look but what the log
 * does.
 */
final class RunQueueMonitor implements AutoCloseable {
    /** A shorter wait for a CPU is what every wake-up costs. */
    private static final long WAIT_NS = 50_000;

    /** Whether the wait was for having been switched is as exact as the costlier file is looked at often. */
    private static final int LOOKS_BETWEEN_SWITCHES = 10;

    /**
     * Their looks are twice the calls after which the programs' options have a method of theirs compiled for good
     * (5,000 / 10).
     */
    private static final int WARM_UP_WATCHES = 100;

    private static final int WARM_UP_LOOKS = 10;

    /**
     * Of a wait, by how often the thread was switched, 0 or 1: a rare branch would have all compiled anew when first
     * taken.
     */
    private static final Cause[] CAUSES = {Cause.RUN_QUEUE, Cause.INVOLUNTARY_SWITCH};

    private final RunQueueDelay wait;
    private final EventLog log;
    private final long leastNs;
    private int looks;

    private RunQueueMonitor(RunQueueDelay wait, EventLog log, long leastNs) {
        this.wait = wait;
        this.log = log;
        this.leastNs = leastNs;
    }

    /** Begins to watch a thread. */
    static RunQueueMonitor of(PacketThread thread, EventLog log) throws IOException {
        return new RunQueueMonitor(RunQueueDelay.of(thread), log, WAIT_NS);
    }

    /**
     * Looks at the calling thread until what a look takes is due to be compiled, whether it finds a wait or none and
     * whether it is a watch's first or not: else that would be done beside the first recorded packets, and what the
     * packets' own calls share with it would then be compiled anew.
     */
    static void warmUp() throws IOException {
        PacketThread self = PacketThread.current();
        if (self == null) {
            return;
        }
        EventLog log = new EventLog();
        for (int i = 0; i < WARM_UP_WATCHES; i++) {
            try (RunQueueDelay own = RunQueueDelay.of(self);
                    RunQueueMonitor finding = new RunQueueMonitor(RunQueueDelay.of(self), log, 0);
                    RunQueueMonitor findingNone = of(self, log)) {
                warmUp(own, finding, findingNone);
            }
        }
    }

    private static void warmUp(RunQueueDelay own, RunQueueMonitor finding, RunQueueMonitor findingNone)
            throws IOException {
        for (int i = 0; i < WARM_UP_LOOKS; i++) {
            long nowNs = RealtimeClock.nowNs() - own.waitedNs();
            finding.look(nowNs, nowNs);
            findingNone.look(nowNs, nowNs);
        }
    }

    /**
     * Notes what the thread waited since the last look, if that is worth it.
     *
     * @param beforeNs when the last look was, CLOCK_REALTIME in ns
     * @param nowNs when this one is
     */
    void look(long beforeNs, long nowNs) throws IOException {
        looks++;
        long waitedNs = Math.min(wait.waitedNs(), nowNs - beforeNs);
        boolean waited = waitedNs >= leastNs;
        if (waited || looks % LOOKS_BETWEEN_SWITCHES == 0) {
            Cause cause = CAUSES[wait.switched()];
            if (waited) {
                log.add(cause, beforeNs, nowNs, waitedNs);
            }
        }
    }

    @Override
    public void close() throws IOException {
        wait.close();
    }
}

package org.lagbench.core.cause;

import java.io.IOException;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.recorder.PacketThread;

/**
 * Records in a log how long a thread waited for a CPU or was stopped. Used by another thread. Allocates only what the
 * log does.
 */
final class RunQueueMonitor implements AutoCloseable {
    /** The shortest wait that is recorded, in ns; shorter waits for a CPU occur at every wake-up. */
    private static final long WAIT_NS = 50_000;

    /**
     * The number of calls of {@link #look} between two reads of the context switches, whose file costs more to read.
     * Rare reads make the cause of a wait less exact. A thread of another process is read each time, because it may be
     * stopped while this process runs.
     */
    private static final int LOOKS_BETWEEN_SWITCHES = 10;

    /** Monitors opened in the warm-up: with their calls, each method runs twice as often as its compilation needs. */
    private static final int WARM_UP_WATCHES = 100;

    private static final int WARM_UP_LOOKS = 10;

    /**
     * The cause of a wait by the number of switches, 0 or 1. A rare branch would cause recompilation when first taken.
     */
    private static final Cause[] CAUSES = {Cause.RUN_QUEUE, Cause.INVOLUNTARY_SWITCH};

    private final RunQueueDelay wait;
    private final EventLog log;
    private final long minNs;
    private final int looksBetweenSwitches;
    private int looks;
    private long asleepNs;

    private RunQueueMonitor(RunQueueDelay wait, EventLog log, long minNs, int looksBetweenSwitches) {
        this.wait = wait;
        this.log = log;
        this.minNs = minNs;
        this.looksBetweenSwitches = looksBetweenSwitches;
    }

    /** Starts to watch a thread. */
    static RunQueueMonitor of(PacketThread thread, EventLog log) throws IOException {
        int looks = thread.isOfThisProcess() ? LOOKS_BETWEEN_SWITCHES : 1;
        return new RunQueueMonitor(RunQueueDelay.of(thread), log, WAIT_NS, looks);
    }

    /**
     * Runs {@link #look} on the calling thread until it is due for compilation, with and without a wait and on new
     * monitors. Otherwise it would be compiled during the first recorded packets, and code that it shares with them
     * recompiled.
     */
    static void warmUp() throws IOException {
        PacketThread self = PacketThread.current();
        if (self == null) {
            return;
        }
        EventLog log = new EventLog();
        for (int i = 0; i < WARM_UP_WATCHES; i++) {
            try (RunQueueDelay own = RunQueueDelay.of(self);
                    RunQueueMonitor finding =
                            new RunQueueMonitor(RunQueueDelay.of(self), log, 0, LOOKS_BETWEEN_SWITCHES);
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
     * Records the waits that ended since the last call, if they are long enough, or that the thread is stopped. The
     * kernel reports a wait when it ends, so it can have begun before the last call, but not before the thread was last
     * seen asleep: since Linux 6.12 the kernel also counts sleeps, because a thread that sleeps can stay queued.
     *
     * @param beforeNs the time of the last call, CLOCK_REALTIME in ns
     * @param nowNs the time of this call
     */
    void look(long beforeNs, long nowNs) throws IOException {
        looks++;
        long waitedNs = wait.waitedNs();
        boolean waited = waitedNs >= minNs;
        if (waited || looks % looksBetweenSwitches == 0) {
            Cause cause = CAUSES[wait.switched()];
            if (waited) {
                long startNs = Math.min(nowNs, Math.max(asleepNs, Math.min(beforeNs, nowNs - waitedNs)));
                log.add(cause, startNs, nowNs, Math.min(waitedNs, nowNs - startNs));
            }
            if (wait.wasAsleep()) {
                asleepNs = nowNs;
            }
            if (wait.wasStopped()) {
                log.add(Cause.STALL, beforeNs, nowNs);
            }
        }
    }

    @Override
    public void close() throws IOException {
        wait.close();
    }
}

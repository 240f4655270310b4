package org.lagbench.packetio.pace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Pace;

/**
 * A fixed interval between packets or bursts. Waiting is decided on the monotonic clock, which nobody can set: a step
 * of CLOCK_REALTIME neither holds the sender nor makes it hurry. The scheduled time is told on the scale of
 * CLOCK_REALTIME, as all stamps are, and goes with its steps, which are looked for while there is nothing else to do,
 * where that is at all.
 */
abstract class IntervalPacer extends Pacer {
    private final Pace pace;
    private final Clocks clocks;
    private @Nullable RealtimeOffset offset;
    private long startNs;
    private volatile @Nullable Thread sender;

    IntervalPacer(Pace pace, Clocks clocks) {
        this.pace = pace;
        this.clocks = clocks;
    }

    @Override
    public void start() {
        sender = Thread.currentThread();
        offset = new RealtimeOffset(clocks);
        startNs = clocks.monotonicNs();
    }

    @Override
    public final long await(long index) throws InterruptedException {
        RealtimeOffset realtime = offset();
        throwIfStopped();
        long dueNs = startNs + pace.dueNs(index);
        realtime.follow(waitUntil(dueNs));
        return realtime.realtimeNs(dueNs);
    }

    @Override
    public final void stop() {
        super.stop();
        LockSupport.unpark(sender);
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("clockSteps", offset == null ? 0L : offset.steps());
        return metadata;
    }

    /**
     * Waits until the monotonic clock reads {@code dueNs} or more.
     *
     * @return its last reading
     */
    abstract long waitUntil(long dueNs) throws InterruptedException;

    /** Sleeps until the monotonic clock reads {@code dueNs} or more, and returns its last reading. */
    final long sleepUntil(long dueNs) throws InterruptedException {
        long now = clocks.monotonicNs();
        while (now - dueNs < 0) {
            clocks.parkNs(dueNs - now);
            throwIfStopped();
            now = clocks.monotonicNs();
        }
        return now;
    }

    /** The call by which it sleeps. */
    final String sleepCall() {
        return clocks.sleepCall();
    }

    /** Looks at the monotonic clock until it reads {@code dueNs} or more, and returns its last reading. */
    final long spinUntil(long dueNs) throws InterruptedException {
        long now = clocks.monotonicNs();
        while (now - dueNs < 0) {
            throwIfStopped();
            offset().followIdly(now, dueNs - now);
            Thread.onSpinWait();
            now = clocks.monotonicNs();
        }
        return now;
    }

    private RealtimeOffset offset() {
        RealtimeOffset started = offset;
        if (started == null) {
            throw new IllegalStateException("the pacer was not started");
        }
        return started;
    }
}

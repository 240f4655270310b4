package org.lagbench.packetio.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Pace;

/**
 * A pacer with a fixed interval between packets or bursts. It waits on the monotonic clock, which nobody can set: a
 * step of CLOCK_REALTIME neither delays nor speeds up the sender. Scheduled times are CLOCK_REALTIME, as all stamps,
 * and follow its steps. It checks for steps while it waits, where possible.
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
        return new LinkedHashMap<>(Map.of("clockSteps", offset == null ? 0L : offset.steps()));
    }

    /**
     * Waits until the monotonic clock reads {@code dueNs} or more.
     *
     * @return the clock's last reading
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

    final String sleepCall() {
        return clocks.sleepCall();
    }

    /** Reads the monotonic clock until it reads {@code dueNs} or more, and returns its last reading. */
    final long spinUntil(long dueNs) throws InterruptedException {
        long now = clocks.monotonicNs();
        while (now - dueNs < 0) {
            throwIfStopped();
            offset().followWhileWaiting(now, dueNs - now);
            Thread.onSpinWait();
            now = clocks.monotonicNs();
        }
        return now;
    }

    private RealtimeOffset offset() {
        if (offset == null) {
            throw new IllegalStateException("the pacer was not started");
        }
        return offset;
    }
}

package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.run.Pace;

/**
 * A pacer with a fixed interval between packets or bursts. It waits on the monotonic clock, which nobody can set: a
 * step of CLOCK_REALTIME neither delays nor speeds up the sender. Scheduled times are CLOCK_REALTIME, as all stamps,
 * and follow its steps. It checks for steps while it waits, where possible.
 *
 * <p>It sleeps, with the thread's timer slack at its minimum, or spins, which reads the clock without pause, or sleeps
 * until shortly before the packet is due and then spins.
 */
final class IntervalPacer extends Pacer {
    /**
     * A hybrid sleep ends this long before a packet is due, in ns. With a timer slack of 1 ns, 99 % of sleeps end less
     * late than that. A longer time would spend more CPU time on spinning.
     */
    static final long SPIN_NS = 50_000;

    private final Pace pace;
    private final Clocks clocks;
    private final boolean sleeps;
    private final boolean spins;
    private @Nullable String slackFailure;
    private @Nullable Long slackNs;
    private @Nullable RealtimeOffset offset;
    private long startNs;
    private volatile @Nullable Thread sender;

    IntervalPacer(Pace pace, Clocks clocks) {
        this.pace = pace;
        this.clocks = clocks;
        this.sleeps = pace.mode() != Pace.Mode.SPIN;
        this.spins = pace.mode() != Pace.Mode.SLEEP;
    }

    @Override
    public void start() {
        if (sleeps) {
            lowerTimerSlack();
        }
        sender = Thread.currentThread();
        offset = new RealtimeOffset(clocks);
        startNs = clocks.monotonicNs();
    }

    private void lowerTimerSlack() {
        slackFailure = null;
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
            slackNs = TimerSlack.currentNs();
        } catch (IOException e) {
            slackFailure = "the timer slack was not lowered, so packets are sent later: " + e.getMessage();
        }
    }

    @Override
    public long await(long index) throws InterruptedException {
        RealtimeOffset realtime = offset();
        throwIfStopped();
        long dueNs = startNs + pace.dueNs(index);
        realtime.follow(waitUntil(dueNs));
        return realtime.realtimeNs(dueNs);
    }

    @Override
    public void stop() {
        super.stop();
        LockSupport.unpark(sender);
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new LinkedHashMap<>(Map.of("clockSteps", offset == null ? 0L : offset.steps()));
        if (sleeps) {
            metadata.put("sleepCall", clocks.sleepCall());
            if (slackFailure != null) {
                metadata.put("timerSlackFailure", slackFailure);
            } else if (slackNs != null) {
                metadata.put("timerSlackNs", slackNs);
            }
        }
        return metadata;
    }

    /**
     * Waits until the monotonic clock reads {@code dueNs} or more.
     *
     * @return the clock's last reading
     */
    private long waitUntil(long dueNs) throws InterruptedException {
        if (!spins) {
            return sleepUntil(dueNs);
        }
        if (sleeps) {
            sleepUntil(dueNs - SPIN_NS);
        }
        return spinUntil(dueNs);
    }

    /** Sleeps until the monotonic clock reads {@code dueNs} or more, and returns its last reading. */
    private long sleepUntil(long dueNs) throws InterruptedException {
        long now = clocks.monotonicNs();
        while (now - dueNs < 0) {
            clocks.parkNs(dueNs - now);
            throwIfStopped();
            now = clocks.monotonicNs();
        }
        return now;
    }

    /** Reads the monotonic clock until it reads {@code dueNs} or more, and returns its last reading. */
    private long spinUntil(long dueNs) throws InterruptedException {
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

package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.failure.IoErrors;
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
    private long firstDueNs;
    private volatile @Nullable Thread sender;

    IntervalPacer(Pace pace, Clocks clocks) {
        this.pace = pace;
        this.clocks = clocks;
        this.sleeps = pace.mode() != Pace.Mode.SPIN;
        this.spins = pace.mode() != Pace.Mode.SLEEP;
    }

    @Override
    public void start(long startNs) {
        if (sleeps) {
            lowerTimerSlack();
        }
        sender = Thread.currentThread();
        RealtimeOffset realtime = new RealtimeOffset(clocks);
        offset = realtime;
        long nowNs = clocks.monotonicNs();
        firstDueNs = nowNs + Math.max(0, startNs - realtime.realtimeNs(nowNs));
    }

    private void lowerTimerSlack() {
        slackFailure = null;
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
            slackNs = TimerSlack.currentNs();
        } catch (IOException e) {
            slackFailure = "the timer slack was not lowered, so packets are sent later: " + IoErrors.reason(e);
        }
    }

    @Override
    public long await(long index) throws InterruptedException {
        RealtimeOffset realtime = offset();
        throwIfStopped();
        long dueNs = firstDueNs + pace.dueNs(index);
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

    /**
     * The offset of CLOCK_REALTIME from the monotonic clock. Both have the same rate and slew, so the offset is
     * constant until CLOCK_REALTIME is stepped; {@link #follow} and {@link #followWhileWaiting} detect that.
     *
     * <p>The offset is a reading of CLOCK_REALTIME minus a later reading of the monotonic clock. It is therefore too
     * low by at most the time between the two.
     */
    private static final class RealtimeOffset {
        /** The smallest step of CLOCK_REALTIME that is followed, in ns; a larger one where clocks are slow to read. */
        private static final long SMALLEST_STEP_NS = 10_000;

        /** How long a check remains valid, in ns; packets sent in this time may miss a step. */
        static final long FRESH_NS = 10_000;

        /** The longest duration of an undisturbed check where clocks are fast to read, in ns. */
        private static final long CHECK_NS = 1_000;

        /** The number of measurements, enough that at least one is not interrupted. */
        private static final int MEASUREMENTS = 8;

        private final Clocks clocks;
        private final long toleranceNs;

        /** The uncertainty of the offset in its last measurement. */
        private long uncertaintyNs;

        private long offsetNs;
        private long checkedNs;
        private long steps;

        RealtimeOffset(Clocks clocks) {
            this.clocks = clocks;
            this.checkedNs = clocks.monotonicNs() - FRESH_NS;
            this.offsetNs = measureNs();
            this.toleranceNs = SMALLEST_STEP_NS + 2 * uncertaintyNs;
        }

        /** Converts a reading of the monotonic clock to CLOCK_REALTIME, both in ns. */
        long realtimeNs(long monotonicNs) {
            return monotonicNs + offsetNs;
        }

        /** Returns the number of steps of CLOCK_REALTIME that were noticed. */
        long steps() {
            return steps;
        }

        /**
         * Checks for a step of CLOCK_REALTIME and follows it, unless the last check was less than {@value #FRESH_NS} ns
         * ago.
         *
         * @param monotonicNs the current reading of the monotonic clock
         */
        void follow(long monotonicNs) {
            if (monotonicNs - checkedNs >= FRESH_NS) {
                checkForStep(monotonicNs);
            }
        }

        /**
         * Like {@link #follow}, but for calls during a wait. Checks so early that {@link #follow} has nothing to check
         * when the wait ends.
         *
         * @param leftNs the remaining time of the wait
         */
        void followWhileWaiting(long monotonicNs, long leftNs) {
            if (monotonicNs - checkedNs >= FRESH_NS / 2 && leftNs >= CHECK_NS) {
                checkForStep(monotonicNs);
            }
        }

        private void checkForStep(long monotonicNs) {
            checkedNs = monotonicNs;
            long ahead = clocks.realtimeNs() - realtimeNs(monotonicNs);
            if (Math.abs(ahead) > toleranceNs) {
                long measured = measureNs(); // the thread may merely have been preempted between the two readings
                if (Math.abs(measured - offsetNs) > toleranceNs) {
                    offsetNs = measured;
                    steps++;
                }
            }
        }

        private long measureNs() {
            long shortestNs = Long.MAX_VALUE;
            long best = 0;
            for (int i = 0; i < MEASUREMENTS; i++) {
                long before = clocks.monotonicNs();
                long realtime = clocks.realtimeNs();
                long after = clocks.monotonicNs();
                if (after - before < shortestNs) {
                    shortestNs = after - before;
                    best = realtime - after;
                }
            }
            uncertaintyNs = shortestNs;
            return best;
        }
    }
}

package org.lagbench.packetio.engine;

import java.util.Map;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.Pace;

/**
 * Blocks the sending thread until the next packet is due.
 *
 * <p>Packet n is due at start + ⌊n / burst⌋ · interval, however late the packets before it were. The schedule does not
 * drift: a sender that fell behind sends overdue packets at once, each with its own scheduled time. The delay of a
 * stalled sender is therefore visible as sent minus scheduled, and not hidden by coordinated omission.
 *
 * <p>The sending thread calls {@link #start} and {@link #await}, which allocate nothing; any thread may call
 * {@link #stop}.
 */
public abstract class Pacer {
    private volatile boolean stopped;

    Pacer() {}

    public static Pacer of(Pace pace) {
        return of(pace, SystemClocks.find());
    }

    static Pacer of(Pace pace, Clocks clocks) {
        return switch (pace.mode()) {
            case FLOOD -> new FloodPacer();
            case SLEEP, SPIN, HYBRID -> new IntervalPacer(pace, clocks);
        };
    }

    /** Starts the schedule: packet 0 is due now. May be called again, to restart after a warm-up. */
    public abstract void start();

    /**
     * Waits until a packet is due; returns at once if it is overdue.
     *
     * @param index the packet's index in the schedule, from 0 at {@link #start}
     * @return the scheduled time, CLOCK_REALTIME in ns, never later than the clock's reading after the return, unless
     *     the clock was stepped back in the last 10 µs; {@link org.lagbench.core.capture.SenderCapture#UNSCHEDULED} in
     *     a flood
     * @throws InterruptedException if the thread was interrupted or {@link #stop} called; the packet must not be sent
     */
    public abstract long await(long index) throws InterruptedException;

    /** Makes the current and every later {@link #await} throw an {@link InterruptedException}. */
    public void stop() {
        stopped = true;
    }

    /** Returns the pacer's metadata for {@code run.json}: names with units. */
    public Map<String, Object> metadata() {
        return Map.of();
    }

    final void throwIfStopped() throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("the pacer was stopped");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while the next packet was not yet due");
        }
    }

    /** Never waits. */
    private static final class FloodPacer extends Pacer {
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

    /** The two clocks of a schedule, and the sleep. */
    interface Clocks {
        /** Returns a clock that nobody sets, in ns from an arbitrary zero. */
        long monotonicNs();

        /** Returns CLOCK_REALTIME in ns since the epoch. */
        long realtimeNs();

        /**
         * Sleeps for about this many ns of the monotonic clock. Interrupting or unparking the thread ends a sleep
         * within 20 ms.
         */
        void parkNs(long nanoseconds);

        /** Returns the name of the call that sleeps, for {@code run.json}. */
        String sleepCall();
    }
}

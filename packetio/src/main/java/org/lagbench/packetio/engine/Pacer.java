package org.lagbench.packetio.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.linux.LinuxSleep;

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

    /**
     * Starts the schedule. May be called again, to restart after a warm-up.
     *
     * @param startNs when packet 0 is due, CLOCK_REALTIME in ns; now if this is past
     */
    public abstract void start(long startNs);

    /** Starts the schedule now. */
    public final void start() {
        start(0);
    }

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
        public void start(long startNs) {
            // nothing to start, because a flood has no schedule
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

    /**
     * The clocks of this machine, and a sleep that is too short to be worth ending early. Java's own sleeps can be
     * ended by another thread, so each acquires a lock and changes the thread's state in the JVM.
     *
     * @param sleepCall the name of the call that sleeps a short time
     * @param shortSleep sleeps 1 to 999,999,999 ns of the monotonic clock, seldom less. Thread-safe; allocates nothing
     */
    record SystemClocks(String sleepCall, LongConsumer shortSleep) implements Clocks {
        /** The longest sleep that no other thread can end. An interval between video frames at 60 fps is shorter. */
        static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

        /** The clocks with Java's own sleep, which is always available. */
        static final SystemClocks PARKING = new SystemClocks("parkNanos", LockSupport::parkNanos);

        /**
         * Returns the clocks with the operating system's sleep if available, else {@link #PARKING}, which costs more.
         */
        static SystemClocks find() {
            try {
                LinuxSleep.load();
                return new SystemClocks("clock_nanosleep", LinuxSleep::sleepNs);
            } catch (LagbenchException e) {
                return PARKING;
            }
        }

        @Override
        public long monotonicNs() {
            return System.nanoTime();
        }

        @Override
        public long realtimeNs() {
            return RealtimeClock.nowNs();
        }

        /** Parks the thread, which can be ended, until {@value #SHORT_NS} ns are left. */
        @Override
        public void parkNs(long nanoseconds) {
            if (nanoseconds > SHORT_NS) {
                LockSupport.parkNanos(nanoseconds - SHORT_NS);
            } else {
                shortSleep.accept(nanoseconds);
            }
        }
    }
}

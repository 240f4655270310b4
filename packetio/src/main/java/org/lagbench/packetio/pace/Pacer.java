package org.lagbench.packetio.pace;

import java.util.Map;
import org.lagbench.core.run.Pace;

/**
 * Holds the sending thread until the next packet is due.
 *
 * <p>Packet n is due at start + ⌊n / burst⌋ · interval, however late the packets before it were: the schedule does not
 * drift, and a sender that fell behind sends what is overdue at once, each packet with its own scheduled time. The
 * delay that a stalled sender caused is therefore visible in scheduled versus sent, and not hidden by coordinated
 * omission.
 *
 * <p>The sending thread calls {@link #start} and {@link #await}, which allocate nothing; any thread may call
 * {@link #stop}.
 */
public abstract class Pacer {
    private volatile boolean stopped;

    Pacer() {}

    /** The pacer for a pace. */
    public static Pacer of(Pace pace) {
        return of(pace, new SystemClocks(ShortSleep.find()));
    }

    static Pacer of(Pace pace, Clocks clocks) {
        return switch (pace.mode()) {
            case FLOOD -> new FloodPacer();
            case SLEEP -> new SleepPacer(pace, clocks);
            case SPIN -> new SpinPacer(pace, clocks);
            case HYBRID -> new HybridPacer(pace, clocks);
        };
    }

    /** Begins the schedule: packet 0 is due now. May be called again, to begin anew after a warm-up. */
    public abstract void start();

    /**
     * Waits until a packet is due, or not at all if it is overdue.
     *
     * @param index the packet's place in the schedule, counted from 0 at {@link #start}
     * @return when it was scheduled, CLOCK_REALTIME in ns, never later than the clock's reading after the return,
     *     unless that was stepped back in the last 10 µs; {@link org.lagbench.core.capture.SenderCapture#UNSCHEDULED}
     *     in a flood
     * @throws InterruptedException if the thread was interrupted or {@link #stop} called; the packet is not to be sent
     */
    public abstract long await(long index) throws InterruptedException;

    /** Makes the present and every later {@link #await} end with an {@link InterruptedException}. */
    public void stop() {
        stopped = true;
    }

    /** How the pacing went, for {@code run.json}: names with units. */
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
}

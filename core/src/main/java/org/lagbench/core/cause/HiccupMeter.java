package org.lagbench.core.cause;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.core.time.TimerSlack;

/**
 * A thread that looks {@value #LOOKS_PER_S} times a second whether it, and with it the process, still runs, as jHiccup
 * does: what it sleeps longer than it asked to, and did not itself wait for a CPU, the process was stopped, by its JVM
 * or as a whole. At each look it also asks how long the packet thread waited for a CPU, and now and then counters that
 * know no time of their own.
 *
 * <p>Allocates nothing at a look but by the counters that it is given.
 */
final class HiccupMeter implements AutoCloseable {
    private static final int LOOKS_PER_S = 1_000;
    private static final long SLEEP_NS = TimeUnit.SECONDS.toNanos(1) / LOOKS_PER_S;

    /** A sleep that is this much longer than asked is a stall: ten times what a sleep of an idle machine is late. */
    private static final long STALL_NS = 500_000;

    /** Counters are looked at every so many looks. */
    private static final int LOOKS_BETWEEN_COUNTERS = 10;

    private static final int LOOKS_BETWEEN_ANCHORS = LOOKS_PER_S;

    private final EventLog log;
    private final @Nullable PacketThread packets;
    private final List<EventCounter> counters;
    private final Runnable anchor;
    private final Thread thread = new Thread(this::meter, "stall-meter");
    private volatile boolean closing;
    private volatile @Nullable String trouble;

    private HiccupMeter(EventLog log, @Nullable PacketThread packets, List<EventCounter> counters, Runnable anchor) {
        this.log = log;
        this.packets = packets;
        this.counters = List.copyOf(counters);
        this.anchor = anchor;
    }

    /**
     * Begins to look.
     *
     * @param log gets what is found, from the meter's thread, until it is closed
     * @param packets the thread whose waits are recorded; null if the platform has no name for it
     * @param counters looked at every {@value #LOOKS_BETWEEN_COUNTERS} ms or so
     * @param anchor called each second or so
     */
    static HiccupMeter start(
            EventLog log, @Nullable PacketThread packets, List<EventCounter> counters, Runnable anchor) {
        HiccupMeter meter = new HiccupMeter(log, packets, counters, anchor);
        meter.thread.setDaemon(true);
        meter.thread.start();
        return meter;
    }

    /** What could not be looked at and why; null if everything could. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** Ends the thread and waits for that. */
    @Override
    public void close() {
        closing = true;
        Uninterruptibly.join(thread);
    }

    private void meter() {
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
        } catch (IOException e) {
            trouble = "the timer slack of the stall meter cannot be set: " + e.getMessage();
        }
        PacketThread self = PacketThread.current();
        try (RunQueueDelay own = self == null ? null : RunQueueDelay.of(self);
                RunQueueMonitor watch = packets == null ? null : RunQueueMonitor.of(packets, log)) {
            look(own, watch);
        } catch (IOException e) {
            trouble = "waits for a CPU are not known: " + e.getMessage();
            lookWithoutWaits();
        }
    }

    private void lookWithoutWaits() {
        try {
            look(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("nothing was read", e);
        }
    }

    private void look(@Nullable RunQueueDelay own, @Nullable RunQueueMonitor watch) throws IOException {
        counters.forEach(EventCounter::start);
        long beforeNs = RealtimeClock.nowNs();
        long countedNs = beforeNs;
        for (int looks = 1; !closing; looks++) {
            LockSupport.parkNanos(SLEEP_NS);
            long nowNs = RealtimeClock.nowNs();
            long lateNs = nowNs - beforeNs - SLEEP_NS - (own == null ? 0 : own.waitedNs());
            if (lateNs > STALL_NS) {
                log.add(Cause.STALL, beforeNs + SLEEP_NS, nowNs);
            }
            if (watch != null && !hasLooked(watch, beforeNs, nowNs)) {
                watch = null;
            }
            if (looks % LOOKS_BETWEEN_COUNTERS == 0) {
                for (EventCounter counter : counters) {
                    if (counter.hasGrown()) {
                        log.add(counter.cause(), countedNs, RealtimeClock.nowNs());
                    }
                }
                countedNs = nowNs;
            }
            if (looks % LOOKS_BETWEEN_ANCHORS == 0) {
                anchor.run();
            }
            beforeNs = nowNs;
        }
    }

    /**
     * Whether it could: a thread that has ended waits no more, and all that it waited is known but for the time since.
     */
    private boolean hasLooked(RunQueueMonitor watch, long beforeNs, long nowNs) throws IOException {
        try {
            watch.look(beforeNs, nowNs);
            return true;
        } catch (IOException e) {
            if (packets != null && packets.hasEnded()) {
                return false;
            }
            throw e;
        }
    }
}

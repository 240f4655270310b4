package org.lagbench.core.cause;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;

/** A counter of the events of one cause, without their times. Used by one thread. */
public final class EventCounter {
    /** Twice the calls (5,000 / 10) after which, with lagbench's options, a method is compiled at the highest tier. */
    private static final int WARM_UP_CALLS = 1_000;

    private static final long BETWEEN_COUNTS_NS = 10_000_000;

    private final Cause cause;
    private final long betweenCountsNs;
    private final LongSupplier count;
    private final @Nullable LongSupplier startNs;

    /** How long an event lasts at most whose duration is counted, in ns; 0 if events are counted. */
    private final long longestNs;

    private final Supplier<long[]> endsNs;
    private long before;
    private long countedNs;

    private EventCounter(
            Cause cause,
            long betweenCountsNs,
            LongSupplier count,
            @Nullable LongSupplier startNs,
            long longestNs,
            Supplier<long[]> endsNs) {
        this.cause = cause;
        this.betweenCountsNs = betweenCountsNs;
        this.count = count;
        this.startNs = startNs;
        this.longestNs = longestNs;
        this.endsNs = endsNs;
    }

    /**
     * A counter of events that are known only to lie between two counts.
     *
     * @param cause the cause of the events
     * @param count called several hundred times a second by a separate thread; allocates little; returns −1 if unknown
     */
    public EventCounter(Cause cause, LongSupplier count) {
        this(cause, BETWEEN_COUNTS_NS, count, null, 0, () -> new long[0]);
    }

    /**
     * Returns a counter of events whose beginning is known when they are counted.
     *
     * @param count called several thousand times a second by a separate thread; allocates little; returns −1 if unknown
     * @param startNs returns when the events began that the last call of {@code count} found, CLOCK_REALTIME in ns
     * @param endsNs returns the ends of all events, CLOCK_REALTIME in ns, ascending, where these are known: called at
     *     the end. Otherwise events end when they are counted
     */
    public static EventCounter ofSpans(Cause cause, LongSupplier count, LongSupplier startNs, Supplier<long[]> endsNs) {
        return new EventCounter(cause, 0, count, startNs, 0, endsNs);
    }

    /**
     * Returns a counter of the time in events, which is counted at the end of each.
     *
     * @param sumNs returns the time so far in ns; called as {@code count} of the constructor
     * @param longestNs the longest time of an event
     */
    static EventCounter ofDurations(Cause cause, LongSupplier sumNs, long longestNs) {
        return new EventCounter(cause, BETWEEN_COUNTS_NS, sumNs, null, longestNs, () -> new long[0]);
    }

    /** Returns whether the beginning of the events is known by frequent counts. */
    boolean isOfSpans() {
        return startNs != null;
    }

    /** Reads the count until the call is due for compilation at the highest tier. */
    void warmUp() {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            start();
        }
    }

    void start() {
        before = count.getAsLong();
        countedNs = System.nanoTime();
    }

    /**
     * Adds the events since the last count to a log, if it is time to count.
     *
     * @param nowNs a recent reading of {@link System#nanoTime}, because CLOCK_REALTIME may be set back
     */
    void look(EventLog log, long nowNs) {
        if (nowNs - countedNs >= betweenCountsNs) {
            long now = count.getAsLong();
            if (now > before) {
                long endNs = RealtimeClock.nowNs();
                long sinceNs = System.nanoTime() - countedNs;
                long tookNs = Math.max(sinceNs, Math.min(longestNs, now - before));
                log.add(cause, startNs == null ? endNs - tookNs : startNs.getAsLong(), endNs);
            }
            before = now;
            countedNs = nowNs;
        }
    }

    /** Sets the ends of the events in a log, where these are known. */
    void end(EventLog log) {
        log.endAt(cause, endsNs.get());
    }
}

package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sources of one side at the wake-ups of a thread, into a log. It also measures whether the process was
 * stopped, as jHiccup does: the time that the thread slept too long, minus its own waits for a CPU, is a stall of the
 * process.
 *
 * <p>Used by the thread that sleeps. Allocates nothing at a wake-up except in the counters.
 */
final class SourceReader {
    /** The time between two samples of what the scheduler's record does not show. */
    static final long SAMPLE_NS = 1_000_000;

    /** The usual time between two reads of a record with programs. Each costs tens of µs of CPU time. */
    static final long RECORD_NS = 8_000_000;

    private static final long JVM_NS = TimeUnit.SECONDS.toNanos(1);

    /** A lost wait is noticed when its thread leaves the CPU, and then at the next read of the record. */
    private static final long NOTICED_WITHIN_NS = 20_000_000;

    /** Waits read at a time, twice as many as usually end between two reads. */
    private static final int WAITS = 1 << 11;

    private final EventLog log;
    private final EventLog stalls;
    private final @Nullable SchedulerRecord record;
    private final ByteBuffer waits = EventLog.newBuffer(WAITS);
    private final List<EventCounter> counters;
    private final Runnable readJvm;
    private final LongSupplier throttledNs;
    private final LongSupplier realtimeNs;
    private final boolean hasPrograms;
    private final long recordNs;

    /** What the record had lost at unknown times when it was read last. */
    private long lost;

    private long throttledBeforeNs;
    private long beforeNs;
    private long readNs;
    private long jvmReadNs;

    /**
     * Creates a reader that has not begun.
     *
     * @param log receives the events until {@link #end}
     * @param stalls receives the stalls of the process in the same way
     * @param record of the packet thread; null to read only the others
     * @param recordNs the longest time between two reads of it and of the counters
     * @param counters read in each wake-up
     * @param readJvm adds the events of the JVM to the log, called about every second
     * @param throttledNs the time in which CPU quotas stopped this process so far, which is no stall
     * @param realtimeNs CLOCK_REALTIME, for the times of events only: its steps are no stalls
     */
    SourceReader(
            EventLog log,
            EventLog stalls,
            @Nullable SchedulerRecord record,
            long recordNs,
            List<EventCounter> counters,
            Runnable readJvm,
            LongSupplier throttledNs,
            LongSupplier realtimeNs) {
        this.log = log;
        this.stalls = stalls;
        this.record = record;
        this.counters = List.copyOf(counters);
        this.readJvm = readJvm;
        this.throttledNs = throttledNs;
        this.realtimeNs = realtimeNs;
        this.lost = record == null ? 0 : record.lostAtUnknownTimes();
        this.hasPrograms = record != null && record.withoutPrograms() == null;
        this.recordNs = recordNs;
    }

    /** Returns the longest time between two wake-ups with which the sources lose nothing. */
    long sleepNs() {
        return hasSpans() ? SAMPLE_NS : recordNs;
    }

    /** Returns whether a counter finds the beginning of its events only if it is read each {@link #SAMPLE_NS}. */
    boolean hasSpans() {
        return counters.stream().anyMatch(EventCounter::isOfSpans);
    }

    /** Starts to read; the thread sleeps next. */
    void begin() {
        counters.forEach(EventCounter::start);
        throttledBeforeNs = throttledNs.getAsLong();
        beforeNs = System.nanoTime();
        jvmReadNs = beforeNs;
        readNs = beforeNs;
    }

    /**
     * Reads the sources after a sleep, and the record if it is time to. Between two reads of the record, it reads the
     * own waits of this thread only if a stall is possible: those of earlier sleeps, of less than
     * {@link Cause#SHORTEST_STALL_NS} each, may hide a stall then.
     *
     * @param sleepNs how long the thread wanted to sleep
     * @param own the waits of this thread; null if unknown
     * @param watch the waits of the packet thread; null if the record has them, or if they are unknown
     */
    void afterSleep(long sleepNs, @Nullable RunQueueDelay own, @Nullable RunQueueMonitor watch) throws IOException {
        long nowNs = System.nanoTime();
        boolean isDue = nowNs - readNs + sleepNs > recordNs; // before the next sleep ends
        long waitedNs = 0;
        if (isDue || nowNs - beforeNs - sleepNs > Cause.SHORTEST_STALL_NS) {
            long moreNs = waitedNs(own);
            do { // until no wait is between both, which would else count as a stall of the next sleep
                waitedNs += moreNs;
                nowNs = System.nanoTime();
                moreNs = waitedNs(own);
            } while (moreNs > 0);
        }
        long endNs = realtimeNs.getAsLong();
        long sleptNs = nowNs - beforeNs;
        if (sleptNs - sleepNs - waitedNs - throttled() > Cause.SHORTEST_STALL_NS) {
            stalls.add(Cause.STALL, endNs - sleptNs + sleepNs, endNs);
        }
        if (isDue) {
            readRecord(nowNs, endNs);
        }
        for (int i = 0; i < counters.size(); i++) {
            counters.get(i).look(log, nowNs);
        }
        if (nowNs - jvmReadNs >= JVM_NS) {
            jvmReadNs = nowNs;
            readJvm.run();
        }
        beforeNs = nowNs;
        if (watch != null) { // last, because it fails when the packet thread has ended
            watch.look(endNs - sleptNs, endNs);
        }
    }

    /** Reads what the record has not passed yet. */
    void end() {
        readRecord(System.nanoTime(), realtimeNs.getAsLong());
    }

    /** Returns how long the thread that sleeps waited for a CPU since the last call, in ns. */
    private static long waitedNs(@Nullable RunQueueDelay own) throws IOException {
        return own == null ? 0 : own.waitedNs();
    }

    /** Returns how long CPU quotas stopped this process since the last call, in ns: no wait for a CPU to the kernel. */
    private long throttled() {
        long nowNs = throttledNs.getAsLong();
        long tookNs = nowNs - throttledBeforeNs;
        throttledBeforeNs = nowNs;
        return tookNs;
    }

    private void readRecord(long nowNs, long endNs) {
        for (int count = WAITS; record != null && count > WAITS / 2; ) {
            count = record.read(waits);
            log.addAll(waits, count);
        }
        if (record != null && hasPrograms) {
            long lostNow = record.lostAtUnknownTimes();
            if (lostNow > lost) {
                log.add(Cause.WAITS_LOST, endNs - (nowNs - readNs) - NOTICED_WITHIN_NS, endNs);
            }
            lost = lostNow;
        }
        readNs = nowNs;
    }
}

package org.lagbench.core.cause;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.IoErrors;

/**
 * A thread that measures whether the process was stopped, as jHiccup does: the time that it sleeps too long, minus its
 * own waits for a CPU, is a stall of the process. At each wake-up it also reads the counters, and the scheduler's
 * record or else how long the packet thread waited for a CPU.
 *
 * <p>Allocates nothing at a wake-up except in the counters.
 */
final class HiccupMeter implements AutoCloseable {
    /** The time between two samples of what the scheduler's record does not show. */
    private static final long SAMPLE_NS = 1_000_000;

    /** The time between two reads of a record with programs. Each wake-up costs tens of µs of CPU time. */
    private static final long RECORD_NS = 8_000_000;

    private static final long JVM_NS = TimeUnit.SECONDS.toNanos(1);

    /** A sleep that ends this many ns late is a stall: ten times the lateness of a sleep on an idle machine. */
    private static final long STALL_NS = 500_000;

    /** A lost wait is noticed when its thread leaves the CPU, and then at the next read of the record. */
    private static final long NOTICED_WITHIN_NS = 20_000_000;

    /** Waits read at a time, more than usually end between two reads. */
    private static final int WAITS = 96;

    private final EventLog log;
    private final @Nullable PacketThread packets;
    private final @Nullable SchedulerRecord record;
    private final long[] waits = new long[WAITS * SchedulerRecord.FIELDS];
    private final List<EventCounter> counters;
    private final Runnable readJvm;
    private final LongSupplier throttledNs;
    private final LongSupplier realtimeNs;
    private final long recordNs;
    private final long sleepNs;
    private final BackgroundThread thread = new BackgroundThread("stall-meter", this::meter);
    private volatile @Nullable String error;

    /** How long the thread ran on a CPU until its last wake-up, in ns. */
    private volatile long ranNs;

    /** What the record had lost when it was read last, except the events whose time it knows. */
    private long lost;

    /** How many events that the record lost are in the log, each with its time. */
    private long missed;

    private long throttledBeforeNs;

    /**
     * Starts the thread.
     *
     * @param log receives the events, from the meter's thread, until the meter is closed
     * @param packets the thread whose waits are recorded; null if unknown
     * @param record the record of that thread; null to sample its waits instead
     * @param counters read in each wake-up
     * @param readJvm adds the events of the JVM to the log, called about every second
     * @param throttledNs the time in which CPU quotas stopped this process so far, which is no stall
     * @param realtimeNs CLOCK_REALTIME, for the times of events only: its steps are no stalls
     */
    HiccupMeter(
            EventLog log,
            @Nullable PacketThread packets,
            @Nullable SchedulerRecord record,
            List<EventCounter> counters,
            Runnable readJvm,
            LongSupplier throttledNs,
            LongSupplier realtimeNs) {
        this.log = log;
        this.packets = packets;
        this.record = record;
        this.counters = List.copyOf(counters);
        this.readJvm = readJvm;
        this.throttledNs = throttledNs;
        this.realtimeNs = realtimeNs;
        this.lost = record == null ? 0 : record.lost();
        this.recordNs = record != null && record.withoutPrograms() == null ? RECORD_NS : SAMPLE_NS;
        this.sleepNs = counters.stream().anyMatch(EventCounter::isOfSpans) ? SAMPLE_NS : recordNs;
        thread.start();
    }

    /** Returns what could not be measured and why; null if everything was measured. */
    @Nullable
    String error() {
        return error;
    }

    /** Returns the CPU time of the thread in ns. */
    long ranNs() {
        return ranNs;
    }

    /** Ends the thread and waits for its end. */
    @Override
    public void close() {
        thread.close();
    }

    private void meter() {
        try {
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
        } catch (IOException e) {
            error = "the timer slack of the stall meter cannot be set: " + IoErrors.reason(e);
        }
        PacketThread self = PacketThread.current();
        try (RunQueueDelay own = self == null ? null : RunQueueDelay.of(self);
                RunQueueMonitor watch = watch()) {
            look(own, watch);
        } catch (IOException e) {
            error = "waits for a CPU are unknown: " + IoErrors.reason(e);
            lookWithoutWaits();
        }
    }

    /** Returns the monitor of the packet thread's waits; null if the record has them. */
    private @Nullable RunQueueMonitor watch() throws IOException {
        return packets == null || record != null ? null : RunQueueMonitor.of(packets, log);
    }

    private void lookWithoutWaits() {
        try {
            look(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("reading hiccups without waits for a CPU must not read a file", e);
        }
    }

    private void look(@Nullable RunQueueDelay own, @Nullable RunQueueMonitor watch) throws IOException {
        counters.forEach(EventCounter::start);
        throttledBeforeNs = throttledNs.getAsLong();
        long beforeNs = System.nanoTime();
        long jvmReadNs = beforeNs;
        long readNs = beforeNs;
        while (!thread.isClosing()) {
            LockSupport.parkNanos(sleepNs);
            long nowNs = System.nanoTime();
            long endNs = realtimeNs.getAsLong();
            long sleptNs = nowNs - beforeNs;
            if (sleptNs - sleepNs - (own == null ? 0 : own.waitedNs()) - throttled() > STALL_NS) {
                log.add(Cause.STALL, endNs - sleptNs + sleepNs, endNs);
            }
            ranNs = own == null ? 0 : own.ranNs();
            if (watch != null && !hasLooked(watch, endNs - sleptNs, endNs)) {
                watch = null;
            }
            if (nowNs - readNs >= recordNs) {
                readRecord(endNs - (nowNs - readNs), endNs);
                readNs = nowNs;
            }
            for (int i = 0; i < counters.size(); i++) {
                counters.get(i).look(log, nowNs);
            }
            if (nowNs - jvmReadNs >= JVM_NS) {
                jvmReadNs = nowNs;
                readJvm.run();
            }
            beforeNs = nowNs;
        }
        long endNs = realtimeNs.getAsLong();
        readRecord(endNs - (System.nanoTime() - readNs), endNs);
    }

    /** Returns how long CPU quotas stopped this process since the last call, in ns: no wait for a CPU to the kernel. */
    private long throttled() {
        long nowNs = throttledNs.getAsLong();
        long tookNs = nowNs - throttledBeforeNs;
        throttledBeforeNs = nowNs;
        return tookNs;
    }

    private void readRecord(long sinceNs, long nowNs) {
        for (int count = WAITS; record != null && count > WAITS / 2; ) {
            count = record.read(waits);
            log.addAll(waits, count);
            for (int i = 0; i < count; i++) {
                missed += waits[i * SchedulerRecord.FIELDS] == Cause.WAITS_LOST.code() ? 1 : 0;
            }
        }
        if (record != null && recordNs == RECORD_NS) {
            long lost = record.lost() - missed;
            if (lost > this.lost) {
                log.add(Cause.WAITS_LOST, sinceNs - NOTICED_WITHIN_NS, nowNs);
            }
            this.lost = lost;
        }
    }

    /** Returns whether the packet thread's waits were read; false if it has ended. */
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

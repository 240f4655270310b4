package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.CpuQuota;
import org.lagbench.core.recorder.CompilationMonitor;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.recorder.RecordedSide;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.CauseFacts;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.QuotaFacts;
import org.lagbench.core.run.SideFacts;

/**
 * Records on one side of a run the events of its sources that have no stamps, and always whether a CPU quota stopped
 * it. Without the JVM's log, the {@link CauseFacts} say so and the rest is recorded. Adds several µs to the lag of each
 * packet; see docs/how-to/find-tail-causes.md.
 *
 * <p>It records from the end of the warm-up on: on the receiver until it has its last packet, on the sender until the
 * receiver has it, because packets may wait in the sender's queue.
 */
public final class CauseRecorder implements Recorder {
    /** The shortest wait of the scheduler's record that is kept, in ns: about what a wake-up takes on an idle CPU. */
    static final long MIN_WAIT_NS = 10_000;

    /**
     * The time between two reads of counters in a window. A pause of the machine that is shorter may not be recorded.
     */
    private static final long WINDOW_READ_NS = 120_000_000;

    /** The sources whose events it logs. */
    private static final Set<ObservedSource> LOGGED = EnumSet.of(
            ObservedSource.SCHEDULER, ObservedSource.JVM, ObservedSource.DROPS, ObservedSource.RETRANSMISSIONS);

    private final RecordedSide side;
    private final boolean isWanted;
    private final Supplier<List<EventCounter>> countersOfPackets;
    private final long windowsSeed;
    private final ArmedSource armed;
    private final CpuQuota quota = CpuQuota.ofThisProcess();
    private final EventLog log = new EventLog();

    /** What the meter found, until the scheduler's record of the run is complete. */
    private final EventLog stalls = new EventLog();

    /** Each is a component of {@link CauseFacts}. */
    private @Nullable String jvmEvents;

    private @Nullable String waits;
    private @Nullable Long waitsLost;
    private @Nullable String notSeen;
    private @Nullable Long events;
    private @Nullable QuotaFacts quotaFacts;
    private @Nullable JvmLog jvm;
    private @Nullable HiccupMeter meter;
    private @Nullable SchedulerRecord record;
    private @Nullable ObserverSwitch observerSwitch;
    private List<EventCounter> counters = List.of();
    private boolean isStopped;
    private long throttledBeforeNs;
    private boolean hasBegun;

    /**
     * Creates a recorder.
     *
     * @param counters returns the counters of other sources' events, when the engines are connected
     * @param windowsSeed of the order of the observed windows, the same on both sides
     * @param armed also armed in windows
     */
    public CauseRecorder(
            RecordedSide side, Supplier<List<EventCounter>> counters, long windowsSeed, ArmedSource armed) {
        this.side = side;
        this.isWanted = LOGGED.stream().anyMatch(side.point()::records);
        this.countersOfPackets = counters;
        this.windowsSeed = windowsSeed;
        this.armed = armed;
    }

    @Override
    public String name() {
        return side.isSender() ? EventsCapture.SENDER_FILE_NAME : EventsCapture.RECEIVER_FILE_NAME;
    }

    /** Switches the JVM's log on, unless a program moves the packets, which the JVM does not delay. */
    @Override
    public void prepare() {
        if (!isWanted) {
            return;
        }
        if (!side.runsOnJvm()) {
            jvmEvents = CauseFacts.WITHOUT_JVM;
            return;
        } else if (!side.point().records(ObservedSource.JVM)) {
            jvmEvents = CauseFacts.NOT_OBSERVED;
            return;
        }
        try {
            jvm = JvmLog.open();
        } catch (IOException e) {
            jvmEvents = IoErrors.reason(e);
        }
    }

    /**
     * Runs the search for causes for about 50 ms, so that it is compiled before packets are recorded. Call it more than
     * once, with the compilers idle in between.
     */
    @Override
    public void warmUp() {
        if (!isWanted) {
            return;
        }
        countersOfPackets.get().forEach(EventCounter::warmUp);
        readJvm(new EventLog());
        try {
            if (side.point().records(ObservedSource.SCHEDULER)) {
                RunQueueMonitor.warmUp();
            }
        } catch (IOException e) {
            // the stall meter of the run will fail in the same way and report it
        }
    }

    /** Starts to record what the run observes: in its windows, if it has some, or at once. */
    @Override
    public void warmedUp() {
        Point point = side.point();
        throttledBeforeNs = quota.throttledNs();
        hasBegun = true;
        if (!isWanted) {
            return;
        }
        PacketThread packets = side.packets().thread();
        if (LOGGED.stream().anyMatch(point::observes)) {
            observe(packets);
        }
        if (packets == null && point.hasWindows()) {
            notSeen = "which thread moves the packets is unknown, so no window was observed";
        } else if (packets != null && point.hasWindows()) { // where the observer sees quotas
            counters = withCompilation();
            observerSwitch = new ObserverSwitch(
                    ObservedWindows.of(point),
                    windowsSeed,
                    point.pace(),
                    packets,
                    side.packets()::moved,
                    new WindowSources(packets),
                    log);
        }
    }

    private void observe(@Nullable PacketThread packets) {
        counters = withCompilation();
        boolean isSampled = false;
        if (side.point().observes(ObservedSource.SCHEDULER)) {
            if (quota.isLimited()) {
                counters.add(EventCounter.ofDurations(Cause.CPU_QUOTA, quota::throttledNs, quota.periodNs()));
            }
            record = openRecord(packets);
            isSampled = record == null || record.withoutPrograms() != null;
        }
        readJvm(new EventLog()); // discards the events so far
        meter = new HiccupMeter(
                log,
                isSampled && record == null ? packets : null,
                newReader(isSampled ? SourceReader.SAMPLE_NS : SourceReader.RECORD_NS));
    }

    private List<EventCounter> withCompilation() {
        List<EventCounter> all = new ArrayList<>(countersOfPackets.get());
        if (side.runsOnJvm() && side.point().records(ObservedSource.JVM)) {
            all.add(new EventCounter(Cause.COMPILATION, CompilationMonitor::workedMs));
        }
        return all;
    }

    /** The sources, for the thread that switches and reads them. */
    private final class WindowSources implements ObserverSwitch.Sources {
        private final PacketThread packets;
        private @Nullable SourceReader reader;

        WindowSources(PacketThread packets) {
            this.packets = packets;
        }

        @Override
        public void load(long recordNs) throws LagbenchException {
            SchedulerRecord opened = SchedulerRecord.open(packets, MIN_WAIT_NS);
            record = opened;
            String refusal = opened.withoutPrograms();
            if (refusal != null) {
                throw ExitCode.UNAVAILABLE.failure(refusal);
            }
            opened.disarm();
            reader = newReader(recordNs);
            waits = CauseFacts.OBSERVER;
        }

        @Override
        public long sleepNs() {
            SourceReader loaded = Objects.requireNonNull(reader);
            return loaded.hasSpans() ? loaded.sleepNs() : WINDOW_READ_NS;
        }

        @Override
        public void arm() throws LagbenchException {
            Objects.requireNonNull(record).arm();
            armed.arm();
            readJvm(new EventLog()); // discards the events so far
            Objects.requireNonNull(reader).begin();
        }

        @Override
        public void read(long sleepNs, RunQueueDelay own) throws IOException {
            Objects.requireNonNull(reader).afterSleep(sleepNs, own, null);
        }

        @Override
        public void readAll() {
            Objects.requireNonNull(reader).end();
        }

        @Override
        public void disarm() {
            armed.disarm();
            Objects.requireNonNull(record).disarm();
            readAll();
            readJvm(log);
            isStopped = true;
        }
    }

    private SourceReader newReader(long recordNs) {
        return new SourceReader(
                log,
                record == null ? log : stalls,
                record,
                recordNs,
                counters,
                () -> readJvm(log),
                quota::throttledNs,
                RealtimeClock::nowNs);
    }

    private void closeMeter() {
        HiccupMeter running = meter;
        if (running == null) {
            return;
        }
        meter = null;
        running.close();
        readJvm(log);
        String error = running.error();
        if (error != null) {
            notSeen = error;
        }
        isStopped = true;
    }

    private void readJvm(EventLog into) {
        try {
            if (jvm != null) {
                jvm.readTo(into);
            }
        } catch (IOException e) {
            jvmEvents = "the JVM's log cannot be read: " + IoErrors.reason(e);
        }
    }

    private @Nullable SchedulerRecord openRecord(@Nullable PacketThread packets) {
        if (packets == null) {
            return null;
        }
        try {
            SchedulerRecord opened = SchedulerRecord.open(packets, MIN_WAIT_NS);
            String withoutPrograms = opened.withoutPrograms();
            waits = withoutPrograms == null
                    ? CauseFacts.OBSERVER
                    : "the thread's own switches, without the programs that ran instead: " + withoutPrograms;
            return opened;
        } catch (LagbenchException e) {
            waits = "samples, without the programs that ran instead: " + e.getMessage();
            return null;
        }
    }

    @Override
    public void end() {
        if (!side.isSender()) {
            stop();
        }
    }

    private void stop() {
        if (hasBegun && quota.isLimited()) {
            quotaFacts = new QuotaFacts(quota.cpus(), quota.throttledNs() - throttledBeforeNs);
            hasBegun = false;
        }
        ObserverSwitch switching = observerSwitch;
        if (switching != null) {
            observerSwitch = null;
            switching.close();
            if (switching.error() != null) {
                notSeen = switching.error();
            }
        } else if (meter == null) {
            return;
        }
        closeMeter();
        if (record != null) {
            waitsLost = record.lost();
            record.close();
        }
        log.addStalls(stalls, Cause.SHORTEST_STALL_NS);
        counters.forEach(counter -> counter.end(log));
    }

    /** Ends the recording, and writes {@link EventsCapture} if there was one; no file is left if that fails. */
    @Override
    public void write() throws IOException {
        stop();
        if (!isStopped) {
            return;
        }
        isStopped = false;
        events = (long) log.size();
        Path file = side.directory().resolve(name());
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    @Override
    public List<SideFacts> metadata() {
        Long forgotten = events == null ? null : (Long) log.forgotten();
        CauseFacts causes = new CauseFacts(jvmEvents, waits, waitsLost, notSeen, events, forgotten);
        return quotaFacts == null ? List.of(causes) : List.of(causes, quotaFacts);
    }

    @Override
    public void close() {
        if (observerSwitch != null) {
            observerSwitch.close();
        }
        HiccupMeter running = meter;
        if (running != null) {
            running.close();
        }
        if (record != null) {
            record.close();
        }
        if (jvm != null) {
            jvm.close();
        }
    }
}

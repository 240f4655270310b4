package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;

/**
 * Records on one side of a run what may delay its packets. Starts the JVM's Flight Recorder on a separate thread in
 * {@link #prepare}, because that takes long. Without a Flight Recorder, the {@link #metadata} says so and the rest is
 * recorded.
 *
 * <p>Takes about half a second of CPU time per side and run before the packets, and adds several µs to the lag of each;
 * see docs/how-to/find-tail-causes.md.
 *
 * <p>Used by one thread. {@link #prepare}, {@link #awaitPrepared}, {@link #begin} and {@link #end} are called once
 * each, in this order; without them, {@link #close} records nothing.
 */
public final class CauseRecorder implements AutoCloseable {
    /** The key of the metadata with {@link SchedulerRecord#lost}. */
    public static final String WAITS_LOST = "waitsLost";

    private static final String JVM_MODULE = "jdk.jfr";

    /** The shortest wait of the scheduler's record that is kept, in ns: about what a wake-up takes on an idle CPU. */
    private static final long MIN_WAIT_NS = 10_000;

    private final boolean wanted;
    private final boolean ofThisJvm;
    private final EventLog log = new EventLog();
    private final Map<String, Object> metadata = new TreeMap<>();
    private @Nullable FutureTask<JvmEvents> starting;
    private @Nullable JvmEvents jvm;
    private @Nullable HiccupMeter meter;
    private @Nullable SchedulerRecord record;
    private List<EventCounter> counters = List.of();
    private long beganNs;
    private long endedNs;
    private boolean isStopped;

    private CauseRecorder(boolean wanted, boolean ofThisJvm) {
        this.wanted = wanted;
        this.ofThisJvm = ofThisJvm;
    }

    /**
     * Returns a recorder for packets of this process.
     *
     * @param wanted false for a recorder that does nothing
     */
    public static CauseRecorder of(boolean wanted) {
        return new CauseRecorder(wanted, true);
    }

    /**
     * Returns a recorder for packets of another process. This JVM does not delay them, so it starts no Flight Recorder.
     *
     * @param wanted false for a recorder that does nothing
     */
    public static CauseRecorder ofAnotherProcess(boolean wanted) {
        return new CauseRecorder(wanted, false);
    }

    /** Starts the Flight Recorder on a separate thread. */
    public void prepare() {
        if (wanted && ofThisJvm && ModuleLayer.boot().findModule(JVM_MODULE).isPresent()) {
            FutureTask<JvmEvents> task = new FutureTask<>(JvmEvents::start);
            Thread thread = new Thread(task, "flight-recorder-start");
            thread.setDaemon(true);
            thread.start();
            starting = task;
        }
    }

    /** Waits until the Flight Recorder has started. Call it before the warm-up, which compiles what the start needs. */
    public void awaitPrepared() {
        if (starting != null) {
            jvm = awaitJvmEvents();
        }
    }

    /**
     * Runs the search for causes for about 50 ms, so that it is compiled before packets are recorded. Call it after
     * {@link #awaitPrepared}, because the start of the Flight Recorder discards compiled code. Call it more than once,
     * with the compilers idle in between.
     *
     * @param counters the counters for {@link #begin}
     */
    public void warmUp(List<EventCounter> counters) {
        if (!wanted) {
            return;
        }
        counters.forEach(EventCounter::warmUp);
        try {
            RunQueueMonitor.warmUp();
        } catch (IOException e) {
            // the stall meter of the run will fail in the same way and report it
        }
    }

    /**
     * Starts to record.
     *
     * @param packets the thread that sends or receives; null if unknown
     * @param counters of events without a time
     */
    public void begin(@Nullable PacketThread packets, List<EventCounter> counters) {
        if (!wanted) {
            return;
        }
        this.counters = List.copyOf(counters);
        jvm = awaitJvmEvents();
        record = openRecord(packets);
        beganNs = RealtimeClock.nowNs();
        JvmEvents anchored = jvm;
        meter = HiccupMeter.start(log, packets, record, counters, anchored == null ? () -> {} : anchored::anchor);
    }

    private @Nullable SchedulerRecord openRecord(@Nullable PacketThread packets) {
        if (packets == null) {
            return null;
        }
        try {
            SchedulerRecord opened = SchedulerRecord.open(packets, MIN_WAIT_NS);
            metadata.put("waits", "the scheduler's record");
            return opened;
        } catch (LagbenchException e) {
            metadata.put("waits", "samples, without the programs that ran instead: " + e.getMessage());
            return null;
        }
    }

    /** Ends the recording, which {@link #end} writes. Does nothing without {@link #begin}, or if called again. */
    public void stop() {
        HiccupMeter running = meter;
        if (running == null) {
            return;
        }
        meter = null;
        endedNs = RealtimeClock.nowNs();
        running.close();
        if (record != null) {
            metadata.put(WAITS_LOST, record.lost());
            record.close();
        }
        counters.forEach(counter -> counter.end(log));
        String error = running.error();
        if (error != null) {
            metadata.put("causesNotSeen", error);
        }
        isStopped = true;
    }

    /**
     * Ends the recording and writes it to a file. Does nothing without {@link #begin}, or if called again.
     *
     * @param file the capture to create, see {@link EventsCapture}; no file is left if that fails
     */
    public void end(Path file) throws IOException {
        stop();
        if (!isStopped) {
            return;
        }
        isStopped = false;
        JvmEvents recorded = jvm;
        if (recorded != null) {
            drain(recorded, endedNs, file.resolveSibling(file.getFileName() + ".jfr"));
        }
        metadata.put("causeEvents", log.size());
        metadata.put("causeEventsForgotten", log.forgotten());
        try (EventsCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Adds the JVM's events. In a JVM that shuts down the Flight Recorder may fail; the other events are kept. */
    private void drain(JvmEvents recorded, long endedNs, Path scratch) {
        try {
            putTime(recorded.drainTo(log, beganNs, endedNs, scratch));
        } catch (IOException | RuntimeException e) {
            metadata.put("jvmEvents", "the Flight Recorder did not return its events: " + e);
        }
    }

    private void putTime(AnchoredTime time) {
        metadata.put("jvmEventsClockOffsetNs", time.maxOffsetNs());
        metadata.put("jvmEventsClockErrorNs", time.uncertaintyNs());
        if (time.size() == 0 || time.firstNs() > beganNs) {
            metadata.put("jvmEvents", "the oldest were lost because the buffer was full");
        }
    }

    /** Returns the entries for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    private @Nullable JvmEvents awaitJvmEvents() {
        FutureTask<JvmEvents> started = starting;
        if (!ofThisJvm) {
            metadata.put("jvmEvents", "none: a program without a JVM moves the packets");
            return null;
        }
        if (started == null) {
            metadata.put("jvmEvents", "this JVM lacks the module " + JVM_MODULE);
            return null;
        }
        try {
            return Uninterruptibly.get(started);
        } catch (ExecutionException e) {
            metadata.put("jvmEvents", "the Flight Recorder does not start: " + e.getCause());
            return null;
        }
    }

    @Override
    public void close() {
        HiccupMeter running = meter;
        if (running != null) {
            running.close();
        }
        if (record != null) {
            record.close();
        }
        JvmEvents recorded = jvm == null && starting != null ? awaitJvmEvents() : jvm;
        if (recorded != null) {
            recorded.close();
        }
    }
}

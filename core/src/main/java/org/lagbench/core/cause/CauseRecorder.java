package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.time.RealtimeClock;

/**
 * Records on one side of a run what may delay its packets. The JVM's Flight Recorder is made ready in a thread of its
 * own from {@link #prepare} on, so that nobody waits for it who has something else to do; a JVM that has none is said
 * so in the {@link #metadata}, and the rest is recorded.
 *
 * <p>It takes 1.2 s of processor time a side and run, in a flood 1.6 s; the Flight Recorder starts before the recorded
 * part and ends after it. A sweep of one run took 7.2 s in place of 6.2 s. With a packet each 125 µs the median of lag
 * was 6.0 µs in place of 6.0 µs, the mean 9.4 µs in place of 9.0 µs, the 99 % quantile 28 µs in place of 29 µs (7
 * interleaved pairs). The rate of floods was 0.84 times that without (7 pairs; 0.79 to 0.89): a thread that wakes a
 * thousand times a second on the processor on which the receiver sleeps has that wake sooner and more often, and each
 * time costs the sender 8 µs in place of 2.3 µs. So it does where it reads nothing, and not where the receiver does not
 * sleep (busy-poll: 100us, 3 pairs); of the c engine, which another process looks at, the rate was 0.68 times (3
 * pairs). All are medians (OpenJDK 17, a virtual machine of two processors; UDP, 24 bytes).
 *
 * <p>One thread calls all. {@link #prepare}, {@link #awaitPrepared}, {@link #begin} and {@link #end} are called once
 * each, in this order; closing without them records nothing.
 */
public final class CauseRecorder implements AutoCloseable {
    private static final String JVM_MODULE = "jdk.jfr";

    private final boolean wanted;
    private final boolean ofThisJvm;
    private final EventLog log = new EventLog();
    private final Map<String, Object> metadata = new TreeMap<>();
    private @Nullable FutureTask<JvmEvents> starting;
    private @Nullable JvmEvents jvm;
    private @Nullable HiccupMeter meter;
    private long beganNs;

    private CauseRecorder(boolean wanted, boolean ofThisJvm) {
        this.wanted = wanted;
        this.ofThisJvm = ofThisJvm;
    }

    /**
     * A recorder that has not begun.
     *
     * @param wanted false for one that does nothing
     */
    public static CauseRecorder of(boolean wanted) {
        return new CauseRecorder(wanted, true);
    }

    /**
     * A recorder that has not begun, of packets that another process moves: what this JVM does is no cause of what
     * becomes of them, so that it keeps no Flight Recorder.
     *
     * @param wanted false for one that does nothing
     */
    public static CauseRecorder ofAnotherProcess(boolean wanted) {
        return new CauseRecorder(wanted, false);
    }

    /** Begins to make ready what records, in a thread of its own. */
    public void prepare() {
        if (wanted && ofThisJvm && ModuleLayer.boot().findModule(JVM_MODULE).isPresent()) {
            starting = prepared(JvmEvents::start);
        }
    }

    /**
     * Waits until that is ready. Packets that warm up should do so afterwards: what it made due is then compiled with
     * theirs.
     */
    public void awaitPrepared() {
        if (starting != null) {
            jvm = awaitJvmEvents();
        }
    }

    /**
     * Looks for causes for a while, some 50 ms, so that it need not be compiled beside recorded packets. After
     * {@link #awaitPrepared}, for the Flight Recorder changes classes when it starts, whose compiled code is then lost;
     * and more than once, with the compilers idle in between, so that all that it made due has been made.
     *
     * @param counters those that {@link #begin} will be given
     */
    public void warmUp(List<EventCounter> counters) {
        if (!wanted) {
            return;
        }
        counters.forEach(EventCounter::warmUp);
        try {
            RunQueueMonitor.warmUp();
        } catch (IOException e) {
            // the meter will meet the same, and tell it
        }
    }

    private static FutureTask<JvmEvents> prepared(Callable<JvmEvents> start) {
        FutureTask<JvmEvents> task = new FutureTask<>(start);
        Thread thread = new Thread(task, "flight-recorder-start");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /**
     * Records from now on.
     *
     * @param packets the thread that sends or receives; null if not known
     * @param counters of events that tell no time themselves
     */
    public void begin(@Nullable PacketThread packets, List<EventCounter> counters) {
        if (!wanted) {
            return;
        }
        jvm = awaitJvmEvents();
        beganNs = RealtimeClock.nowNs();
        JvmEvents anchored = jvm;
        meter = HiccupMeter.start(log, packets, counters, anchored == null ? () -> {} : anchored::anchor);
    }

    /**
     * Ends, and writes what was recorded; without {@link #begin}, or again, it does nothing.
     *
     * @param file the capture to be made, see {@link EventsCapture}
     */
    public void end(Path file) throws IOException {
        HiccupMeter running = meter;
        if (running == null) {
            return;
        }
        meter = null;
        long endedNs = RealtimeClock.nowNs();
        running.close();
        String trouble = running.trouble();
        if (trouble != null) {
            metadata.put("causesNotSeen", trouble);
        }
        JvmEvents recorded = jvm;
        if (recorded != null) {
            drain(recorded, endedNs, file.resolveSibling(file.getFileName() + ".jfr"));
        }
        metadata.put("causeEvents", log.size());
        metadata.put("causeEventsForgotten", log.forgotten());
        try (EventsCapture capture = EventsCapture.create(file)) {
            for (int i = 0; i < log.size(); i++) {
                capture.append(log.code(i), log.startNs(i), log.endNs(i), log.tookNs(i));
            }
        }
    }

    /**
     * In a JVM that ends, the Flight Recorder ends at the same time, in whatever state that leaves it; the rest is
     * kept.
     */
    private void drain(JvmEvents recorded, long endedNs, Path scratch) {
        try {
            putTime(recorded.drainTo(log, beganNs, endedNs, scratch));
        } catch (IOException | RuntimeException e) {
            metadata.put("jvmEvents", "the Flight Recorder did not give what it had: " + e);
        }
    }

    private void putTime(AnchoredTime time) {
        metadata.put("jvmEventsClockOffsetNs", time.greatestOffsetNs());
        metadata.put("jvmEventsClockErrorNs", time.uncertaintyNs());
        if (time.size() == 0 || time.firstNs() > beganNs) {
            metadata.put("jvmEvents", "the eldest were lost for want of room");
        }
    }

    /** What was recorded and how, for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    private @Nullable JvmEvents awaitJvmEvents() {
        FutureTask<JvmEvents> started = starting;
        if (!ofThisJvm) {
            metadata.put("jvmEvents", "none: another program than a JVM moves the packets");
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

    /** Gives back what was taken. */
    @Override
    public void close() {
        HiccupMeter running = meter;
        if (running != null) {
            running.close();
        }
        JvmEvents recorded = jvm == null && starting != null ? awaitJvmEvents() : jvm;
        if (recorded != null) {
            recorded.close();
        }
    }
}

package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The JVM's own activity, by its Flight Recorder: five kinds of events, without stack traces, of any duration, kept in
 * the JVM's memory until {@link #drainTo} (10 MB; then the oldest are lost). Writes no file during a run.
 *
 * <p>The recorder's clock is the CPU's, scaled once. {@link ClockAnchor}s record CLOCK_REALTIME; times are corrected by
 * linear interpolation between the two nearest anchors.
 *
 * <p>For one thread at a time, except {@link #anchor}, which any thread may call until {@link #drainTo}.
 */
final class JvmEvents implements AutoCloseable {
    private static final String PAUSE = "jdk.GCPhasePause";
    private static final String CONCURRENT = "jdk.GCPhaseConcurrent";
    private static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
    private static final String SAFEPOINT_END = "jdk.SafepointEnd";
    private static final String COMPILATION = "jdk.Compilation";

    /**
     * The beginning of the name of the recorder's directory: year_month_day_hour_minute_second_, before the process ID.
     */
    private static final String REPOSITORY = "[0-9][0-9][0-9][0-9]" + "_[0-9][0-9]".repeat(5) + "_";

    private final Recording recording = new Recording();

    private JvmEvents() {
        recording.setToDisk(false);
        for (String event : List.of(PAUSE, CONCURRENT, SAFEPOINT_BEGIN, SAFEPOINT_END, COMPILATION)) {
            recording.enable(event).withoutStackTrace().withThreshold(Duration.ZERO);
        }
        recording.enable(ClockAnchor.class).withoutStackTrace().withThreshold(Duration.ZERO);
    }

    /** Starts to record, which takes long in a JVM that has not recorded before. */
    static JvmEvents start() {
        JvmEvents events = new JvmEvents();
        try {
            events.recording.start();
            events.anchor();
            return events;
        } catch (RuntimeException | Error e) {
            events.close();
            throw e;
        }
    }

    /** Records the current CLOCK_REALTIME. */
    void anchor() {
        ClockAnchor.commitBest();
    }

    /**
     * Ends the recording and adds to a log the events that overlap an interval.
     *
     * @param log receives the events
     * @param fromNs beginning of the interval, CLOCK_REALTIME in ns
     * @param toNs end of the interval, CLOCK_REALTIME in ns
     * @param scratch a file that must not exist, and is deleted afterwards
     * @return the conversion of the recorder's clock
     * @throws IOException if the recording is not available, for example because this JVM shuts down
     */
    AnchoredTime drainTo(EventLog log, long fromNs, long toNs, Path scratch) throws IOException {
        anchor();
        try {
            recording.dump(scratch);
            recording.close();
            return read(scratch, log, fromNs, toNs);
        } finally {
            Files.deleteIfExists(scratch);
            deleteEmptyRepository();
        }
    }

    /**
     * Deletes the recorder's empty directory, which a killed JVM would leave behind. The recorder creates a new one
     * when it needs one, and deletes that at the JVM's end.
     */
    private static void deleteEmptyRepository() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        String own = REPOSITORY + ProcessHandle.current().pid();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, own)) {
            for (Path directory : found) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(directory);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // another recording of this JVM uses it, or it is another user's; the events are read in any case
        }
    }

    private static AnchoredTime read(Path file, EventLog log, long fromNs, long toNs) throws IOException {
        AnchoredTime time = new AnchoredTime();
        List<Interval> pauses = new ArrayList<>();
        List<Interval> others = new ArrayList<>();
        Map<Long, Long> safepointBegins = new HashMap<>();
        Map<Long, Long> safepointEnds = new HashMap<>();
        try (RecordingFile recorded = new RecordingFile(file)) {
            while (recorded.hasMoreEvents()) {
                RecordedEvent event = recorded.readEvent();
                long startNs = ns(event.getStartTime());
                long endNs = ns(event.getEndTime());
                switch (event.getEventType().getName()) {
                    case ClockAnchor.NAME -> time.add(startNs, event.getLong("realtimeNs"), event.getLong("errorNs"));
                    case PAUSE -> pauses.add(new Interval(Cause.GARBAGE_COLLECTION, startNs, endNs));
                    case CONCURRENT -> others.add(new Interval(Cause.CONCURRENT_COLLECTION, startNs, endNs));
                    case COMPILATION -> others.add(new Interval(Cause.COMPILATION, startNs, endNs));
                    case SAFEPOINT_BEGIN -> safepointBegins.put(event.getLong("safepointId"), startNs);
                    case SAFEPOINT_END -> safepointEnds.put(event.getLong("safepointId"), endNs);
                    default -> {} // events of another recording of this JVM
                }
            }
        }
        time.sort();
        List<Interval> found = new ArrayList<>(SafepointIntervals.of(pauses, safepointBegins, safepointEnds));
        found.addAll(others);
        for (Interval event : found) {
            long startNs = time.realtimeNs(event.startNs());
            long endNs = time.realtimeNs(event.endNs());
            if (endNs >= fromNs && startNs <= toNs) {
                log.add(event.cause(), startNs, endNs);
            }
        }
        return time;
    }

    private static long ns(Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    @Override
    public void close() {
        recording.close();
    }

    /** A cause from one time to another, in ns of one clock. */
    record Interval(Cause cause, long startNs, long endNs) {}
}

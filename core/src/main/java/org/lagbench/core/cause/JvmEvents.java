package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.Files;
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
 * What the JVM does of itself, by its Flight Recorder: five kinds of events, without stack traces, whatever they last,
 * kept in the JVM's memory (10 MB; then the eldest are lost) until they are asked for. Nothing is written in mid-run.
 *
 * <p>The recorder's clock is the processor's, scaled once. {@link ClockAnchor}s tell what CLOCK_REALTIME read
 * meanwhile; the times given are corrected by the straight line between the two anchors around them.
 *
 * <p>One thread at a time, but for {@link #anchor}, which any may call until {@link #drainTo}.
 */
final class JvmEvents implements AutoCloseable {
    private static final String PAUSE = "jdk.GCPhasePause";
    private static final String CONCURRENT = "jdk.GCPhaseConcurrent";
    private static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
    private static final String SAFEPOINT_END = "jdk.SafepointEnd";
    private static final String COMPILATION = "jdk.Compilation";

    private final Recording recording = new Recording();

    private JvmEvents() {
        recording.setToDisk(false);
        for (String event : List.of(PAUSE, CONCURRENT, SAFEPOINT_BEGIN, SAFEPOINT_END, COMPILATION)) {
            recording.enable(event).withoutStackTrace().withThreshold(Duration.ZERO);
        }
        recording.enable(ClockAnchor.class).withoutStackTrace().withThreshold(Duration.ZERO);
    }

    /** Begins to record: 0.2 s of computing in a JVM that has not yet recorded anything. */
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

    /** Notes what CLOCK_REALTIME reads now. */
    void anchor() {
        ClockAnchor.commitBest();
    }

    /**
     * Ends the recording and adds what overlapped a time.
     *
     * @param log gets the events
     * @param fromNs CLOCK_REALTIME in ns
     * @param toNs CLOCK_REALTIME in ns
     * @param scratch a file that must not be there, and is gone afterwards
     * @return how the recorder's clock ran
     * @throws IOException if the recording cannot be had, as when this JVM is about to end and its recorder has gone
     *     before
     */
    AnchoredTime drainTo(EventLog log, long fromNs, long toNs, Path scratch) throws IOException {
        anchor();
        try {
            recording.dump(scratch);
            recording.close();
            return read(scratch, log, fromNs, toNs);
        } finally {
            Files.deleteIfExists(scratch);
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
                    default -> {} // what another recording of this JVM asked for
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

package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;

class EventLogTest {
    private static final int HALF = EventLog.CAPACITY / 2;

    private final EventLog log = new EventLog();
    private final EventLog stalls = new EventLog();

    @TempDir
    private Path directory;

    private void add(Cause cause, int count) {
        ByteBuffer waits = EventLog.newBuffer(count);
        for (int i = 0; i < count; i++) {
            waits.putLong(i * EventLog.EVENT_BYTES, cause.code());
        }
        log.addAll(waits, count);
    }

    @Test
    void countsSleepsBeyondHalfOfCapacity() {
        add(Cause.WIRE_OR_WAKE_UP, HALF + 3);
        assertThat(log.size()).isEqualTo(HALF);
        assertThat(log.forgotten()).isEqualTo(3);

        add(Cause.RUN_QUEUE, HALF + 1);
        assertThat(log.size()).isEqualTo(EventLog.CAPACITY);
        assertThat(log.forgotten()).isEqualTo(4);
    }

    @Test
    void keepsFieldsOfWaitsAcrossBlocks() throws Exception {
        int count = 10_000;
        ByteBuffer waits = EventLog.newBuffer(count);
        for (int i = 0; i < count; i++) {
            for (int field = 0; field < EventsCapture.FIELDS.size(); field++) {
                waits.putLong(10L * i + field);
            }
        }
        log.addAll(waits.clear(), 5);
        log.addAll(waits, count);
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        try (CaptureReader events = CaptureReader.open(file)) {
            assertThat(events.records()).isEqualTo(5 + count);
            for (int i = 0; i < count; i++) {
                for (int field = 0; field < EventsCapture.FIELDS.size(); field++) {
                    assertThat(events.value(5 + i, field)).isEqualTo(10L * i + field);
                }
            }
        }
    }

    @Test
    void omitsStallsThatTheRecordExplains() throws Exception {
        log.add(Cause.RUN_QUEUE, 1_000, 1_400);
        log.add(Cause.INVOLUNTARY_SWITCH, 1_400, 2_000);
        log.add(Cause.STALL, 5_000, 7_000);
        stalls.add(Cause.STALL, 1_050, 2_050);
        stalls.add(Cause.STALL, 4_950, 7_090);
        log.addStalls(stalls, 100);
        assertThat(found(Cause.STALL)).containsExactly(List.of(5_000L, 7_000L));
    }

    @Test
    void keepsWhatTheRecordLeavesOfAStall() throws Exception {
        log.add(Cause.RUN_QUEUE, 2_000, 2_500);
        log.add(Cause.GARBAGE_COLLECTION, 2_600, 2_900); // the timeline ranks them
        log.add(Cause.RUN_QUEUE, 3_000, 3_500);
        stalls.add(Cause.STALL, 100, 900);
        stalls.add(Cause.STALL, 1_000, 3_050);
        stalls.add(Cause.STALL, 3_400, 4_000);
        log.addStalls(stalls, 100);
        assertThat(found(Cause.STALL))
                .containsExactly(
                        List.of(100L, 900L), List.of(1_000L, 2_000L), List.of(2_500L, 3_000L), List.of(3_500L, 4_000L));
    }

    @Test
    void endsEventsAtAllTimesSinceTheLastNotice() throws Exception {
        log.add(Cause.RETRANSMISSION, 1_000, 2_000);
        log.add(Cause.RETRANSMISSION, 1_500, 3_000);
        log.add(Cause.RUN_QUEUE, 1_500, 3_000);
        log.add(Cause.RETRANSMISSION, 3_500, 4_000);
        log.endAt(Cause.RETRANSMISSION, new long[] {900, 1_900, 2_100, 2_200, 2_900, 3_400, 5_000});
        assertThat(found(Cause.RETRANSMISSION))
                .containsExactlyInAnyOrder(
                        List.of(1_000L, 1_900L),
                        List.of(1_500L, 2_100L),
                        List.of(1_500L, 2_200L),
                        List.of(1_500L, 2_900L),
                        List.of(3_500L, 4_000L));
        assertThat(found(Cause.RUN_QUEUE)).containsExactly(List.of(1_500L, 3_000L));
    }

    /** Returns the start and end of each event with a cause. */
    private List<List<Long>> found(Cause cause) throws Exception {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        List<List<Long>> found = new ArrayList<>();
        try (CaptureReader events = CaptureReader.open(file)) {
            for (long event = 0; event < events.records(); event++) {
                if (events.value(event, events.field("cause")) == cause.code()) {
                    found.add(List.of(
                            events.value(event, events.field("start_ns")),
                            events.value(event, events.field("end_ns"))));
                }
            }
        }
        return found;
    }
}

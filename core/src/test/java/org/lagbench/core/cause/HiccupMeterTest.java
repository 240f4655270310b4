package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.clock.RealtimeClock;

/** The stall meter while CLOCK_REALTIME is set. */
class HiccupMeterTest {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    /** How much CLOCK_REALTIME was set. */
    private final AtomicLong setNs = new AtomicLong();

    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong counts = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final EventLog log = new EventLog();
    private boolean hasPrograms;

    @TempDir
    private Path directory;

    private HiccupMeter start() {
        return new HiccupMeter(
                log,
                null,
                new CountingRecord(),
                List.of(new EventCounter(Cause.KERNEL_DROP, counts::incrementAndGet)),
                () -> {},
                () -> RealtimeClock.nowNs() + setNs.get());
    }

    private void awaitMore(AtomicLong counter) {
        long before = counter.get();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> counter.get() > before + 2);
    }

    @Test
    void doesNotMistakeClockStepForStall() throws Exception {
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            setNs.set(HOUR_NS);
            awaitMore(reads);
            assertThat(meter.error()).isNull();
        }
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        try (CaptureReader events = CaptureReader.open(file)) {
            for (long event = 0; event < events.records(); event++) {
                assertThat(events.value(event, events.field("took_ns"))).isBetween(0L, HOUR_NS / 2);
            }
        }
    }

    @Test
    void continuesReadingAfterClockWasSetBack() {
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            setNs.set(-HOUR_NS);
            awaitMore(reads);
            awaitMore(counts);
            assertThat(meter.error()).isNull();
        }
    }

    @Test
    void recordsReadsBetweenWhichWaitsWereLost() throws Exception {
        hasPrograms = true;
        long beforeNs = RealtimeClock.nowNs();
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            lost.set(3);
            awaitMore(reads);
            assertThat(meter.error()).isNull();
        }
        long afterNs = RealtimeClock.nowNs();
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        int found = 0;
        try (CaptureReader events = CaptureReader.open(file)) {
            for (long event = 0; event < events.records(); event++) {
                if (events.value(event, events.field("cause")) == Cause.WAITS_LOST.code()) {
                    found++;
                    assertThat(events.value(event, events.field("start_ns")))
                            .isBetween(beforeNs - 1_000_000, events.value(event, events.field("end_ns")));
                    assertThat(events.value(event, events.field("end_ns"))).isLessThanOrEqualTo(afterNs);
                }
            }
        }
        assertThat(found).isEqualTo(1);
    }

    /** A record without waits. */
    private final class CountingRecord implements SchedulerRecord {
        @Override
        public int read(long[] waits) {
            reads.incrementAndGet();
            return 0;
        }

        @Override
        public long lost() {
            return lost.get();
        }

        @Override
        public @Nullable String withoutPrograms() {
            return hasPrograms ? null : "it has none";
        }

        @Override
        public void close() {}
    }
}

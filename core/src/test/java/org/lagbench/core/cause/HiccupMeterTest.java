package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
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
    private LongSupplier throttledNs = () -> 0;
    private int readMs;
    private boolean hasMissed;
    private final EventLog log = new EventLog();
    private boolean hasPrograms;

    @TempDir
    private Path directory;

    private HiccupMeter start() {
        SourceReader reader = new SourceReader(
                log,
                log,
                new CountingRecord(),
                SourceReader.SAMPLE_NS,
                List.of(new EventCounter(Cause.KERNEL_DROP, counts::incrementAndGet)),
                () -> {},
                throttledNs,
                () -> RealtimeClock.nowNs() + setNs.get());
        return new HiccupMeter(log, null, reader);
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
        List<long[]> found = spans(Cause.WAITS_LOST);
        assertThat(found).hasSize(1);
        assertThat(found.get(0)[0]).isBetween(beforeNs - 21_000_000, found.get(0)[1]);
        assertThat(found.get(0)[1]).isLessThanOrEqualTo(afterNs);
    }

    @Test
    void keepsTimesOfMissedEvents() throws Exception {
        hasPrograms = true;
        hasMissed = true;
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            assertThat(meter.error()).isNull();
        }
        assertThat(spans(Cause.WAITS_LOST)).containsExactly(new long[] {5, 7});
    }

    @Test
    void findsNoStallWhileThrottled() throws Exception {
        AtomicLong sumNs = new AtomicLong();
        readMs = 5;
        throttledNs = () -> sumNs.addAndGet(HOUR_NS);
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            assertThat(meter.error()).isNull();
        }
        assertThat(spans(Cause.STALL)).isEmpty();
    }

    @Test
    void findsStall() throws Exception {
        readMs = 5;
        try (HiccupMeter meter = start()) {
            awaitMore(reads);
            assertThat(meter.error()).isNull();
        }
        assertThat(spans(Cause.STALL)).isNotEmpty();
    }

    /** Returns the start and end of each event with a cause. */
    private List<long[]> spans(Cause cause) throws Exception {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        List<long[]> found = new ArrayList<>();
        try (CaptureReader events = CaptureReader.open(file)) {
            for (long event = 0; event < events.records(); event++) {
                if (events.value(event, events.field("cause")) == cause.code()) {
                    found.add(new long[] {
                        events.value(event, events.field("start_ns")), events.value(event, events.field("end_ns"))
                    });
                }
            }
        }
        return found;
    }

    /** A record without waits, but maybe with one missed event. */
    private final class CountingRecord implements SchedulerRecord {
        @Override
        public int read(ByteBuffer waits) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(readMs));
            if (reads.getAndIncrement() > 0 || !hasMissed) {
                return 0;
            }
            waits.putLong(0, Cause.WAITS_LOST.code()).putLong(8, 5).putLong(16, 7);
            return 1;
        }

        @Override
        public long lost() {
            return lost.get() + (hasMissed && reads.get() > 0 ? 1 : 0);
        }

        @Override
        public long lostAtUnknownTimes() {
            return lost.get();
        }

        @Override
        public @Nullable String withoutPrograms() {
            return hasPrograms ? null : "it has none";
        }

        @Override
        public void disarm() {}

        @Override
        public void arm() {}

        @Override
        public void close() {}
    }
}

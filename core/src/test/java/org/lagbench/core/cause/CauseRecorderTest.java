package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.recorder.RecordedSide;
import org.lagbench.core.run.CauseFacts;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.TrafficSpec;

class CauseRecorderTest {
    /**
     * A test reads the clock before and after it causes an event. The event's times may lie outside these readings by
     * this, which is far less than a collection takes.
     */
    private static final long CLOCK_TOLERANCE_NS = 100_000;

    @TempDir
    Path directory;

    private CauseRecorder recorder(boolean isSender, @Nullable PacketThread thread, EventCounter... counters) {
        return recorder(Set.of(ObservedSource.EVENTS), isSender, thread, counters);
    }

    private CauseRecorder recorder(
            Set<ObservedSource> observe, boolean isSender, @Nullable PacketThread thread, EventCounter... counters) {
        Point point = new Point(
                "udp",
                100,
                1_000,
                0,
                Pace.flood(),
                TrafficSpec.ONE_WAY,
                new Settings(Map.of()),
                new EngineSpec("java", JvmOptions.NONE),
                observe,
                RunConditions.DEFAULT);
        RecordedSide.Packets packets = new RecordedSide.Packets() {
            @Override
            public @Nullable PacketThread thread() {
                return thread;
            }

            @Override
            public long moved() {
                return 0;
            }
        };
        RecordedSide side = new RecordedSide(point, isSender, true, packets, directory);
        return new CauseRecorder(side, () -> List.of(counters), 0, ArmedSource.NONE);
    }

    @Test
    void recordsForcedCollectionAtItsTime() throws Exception {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        List<long[]> forced = new ArrayList<>();
        try (CauseRecorder recorder = recorder(true, PacketThread.current())) {
            recorder.prepare();
            recorder.warmedUp();
            for (int i = 0; i < 3; i++) {
                long beforeNs = RealtimeClock.nowNs();
                System.gc();
                forced.add(new long[] {beforeNs, RealtimeClock.nowNs()});
            }
            assertThat(Thread.getAllStackTraces()).isNotEmpty();
            recorder.write();
            assertThat(SideFacts.entries(recorder.metadata()))
                    .doesNotContainKey("jvmEvents")
                    .containsEntry("causeEventsForgotten", 0L);
        }
        assertThat(events(file, Cause.SAFEPOINT)).isNotEmpty(); // the stack traces need safepoints
        List<long[]> collections = events(file, Cause.GARBAGE_COLLECTION);
        assertThat(forced).allSatisfy(around -> assertThat(collections).anySatisfy(event -> {
            assertThat(event[0]).isBetween(around[0] - CLOCK_TOLERANCE_NS, around[1]);
            assertThat(event[1]).isBetween(event[0], around[1] + CLOCK_TOLERANCE_NS);
        }));
    }

    @Test
    void recordsGrowingCounterAsEvent() throws Exception {
        Path file = directory.resolve(EventsCapture.RECEIVER_FILE_NAME);
        AtomicLong drops = new AtomicLong(5);
        AtomicLong looks = new AtomicLong();
        long beforeNs;
        long afterNs;
        EventCounter counter = new EventCounter(Cause.KERNEL_DROP, () -> {
            looks.incrementAndGet();
            return drops.get();
        });
        try (CauseRecorder recorder = recorder(false, null, counter)) {
            recorder.prepare();
            recorder.warmedUp();
            awaitLooks(looks, 2);
            beforeNs = RealtimeClock.nowNs();
            drops.set(6);
            awaitLooks(looks, looks.get() + 2);
            afterNs = RealtimeClock.nowNs();
            recorder.write();
        }
        List<long[]> events = events(file, Cause.KERNEL_DROP);
        assertThat(events).hasSize(1);
        assertThat(events.get(0)[0]).isLessThan(afterNs);
        assertThat(events.get(0)[1]).isBetween(beforeNs, afterNs);
    }

    @Test
    void endsSpansAtTheirKnownTimes() throws Exception {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        AtomicLong count = new AtomicLong();
        AtomicLong looks = new AtomicLong();
        AtomicLong startNs = new AtomicLong(RealtimeClock.nowNs() - 1_000_000_000);
        long firstNs = startNs.get();
        long[] endsNs = {firstNs - 5, firstNs + 300_000, firstNs + 700_000, Long.MAX_VALUE};
        LongSupplier counted = () -> {
            looks.incrementAndGet();
            return count.get();
        };
        long beforeNs;
        EventCounter counter = EventCounter.ofSpans(Cause.RETRANSMISSION, counted, startNs::get, () -> endsNs);
        try (CauseRecorder recorder = recorder(true, null, counter)) {
            recorder.prepare();
            recorder.warmedUp();
            awaitLooks(looks, 2);
            count.set(1);
            awaitLooks(looks, looks.get() + 2);
            startNs.set(firstNs + 700_001); // no known time follows
            beforeNs = RealtimeClock.nowNs();
            count.set(2);
            awaitLooks(looks, looks.get() + 2);
            recorder.write();
        }
        List<long[]> events = events(file, Cause.RETRANSMISSION);
        assertThat(events).hasSize(3);
        assertThat(events.get(0)).startsWith(firstNs, firstNs + 700_000);
        assertThat(events.get(2)).startsWith(firstNs, firstNs + 300_000);
        assertThat(events.get(1)[0]).isEqualTo(firstNs + 700_001);
        assertThat(events.get(1)[1]).isGreaterThanOrEqualTo(beforeNs);
    }

    private static void awaitLooks(AtomicLong looks, long count) {
        await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> looks.get() >= count);
    }

    @Test
    void toleratesEndedPacketThread() throws Exception {
        AtomicLong looks = new AtomicLong();
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<PacketThread> packets = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            packets.complete(PacketThread.current());
            over.join();
        });
        thread.start();
        EventCounter counter = new EventCounter(Cause.KERNEL_DROP, looks::incrementAndGet);
        try (CauseRecorder recorder = recorder(false, packets.get(60, TimeUnit.SECONDS), counter)) {
            recorder.prepare();
            recorder.warmedUp();
            awaitLooks(looks, 2);
            over.complete(null);
            thread.join();
            awaitLooks(looks, looks.get() + 2);
            recorder.write();
            assertThat(SideFacts.entries(recorder.metadata())).doesNotContainKey("causesNotSeen");
        }
    }

    @Test
    void samplesStopOfAnotherProcess() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        PacketThread thread = Objects.requireNonNull(PacketThread.of(process.pid(), process.pid()));
        EventLog log = new EventLog();
        try (RunQueueMonitor monitor = RunQueueMonitor.of(thread, log)) {
            long beforeNs = RealtimeClock.nowNs();
            signal(process, "-STOP");
            String status = thread.directory().resolve("status").toString();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(Path.of(status)).contains("(stopped)"));
            long stoppedNs = RealtimeClock.nowNs();
            monitor.look(beforeNs, stoppedNs);
            signal(process, "-CONT");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> !Files.readString(Path.of(status)).contains("(stopped)"));
            monitor.look(stoppedNs, RealtimeClock.nowNs());
            Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
            try (GrowingCapture capture = EventsCapture.create(file)) {
                log.writeTo(capture);
            }
            assertThat(events(file, Cause.STALL)).singleElement().isEqualTo(new long[] {beforeNs, stoppedNs});
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** A thread that runs only when its CPU is idle waits while another program runs there. */
    @Test
    void samplesWaitLongerThanSamplingInterval() throws Exception {
        Process process =
                new ProcessBuilder("taskset", "-c", "0", "chrt", "-i", "0", "sh", "-c", "while :; do :; done").start();
        PacketThread thread = Objects.requireNonNull(PacketThread.of(process.pid(), process.pid()));
        EventLog log = new EventLog();
        try (RunQueueMonitor monitor = RunQueueMonitor.of(thread, log)) {
            Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                new ProcessBuilder("taskset", "-c", "0", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
                        .start()
                        .waitFor();
                long nowNs = RealtimeClock.nowNs();
                monitor.look(nowNs - 1_000_000, nowNs);
                try (GrowingCapture capture = EventsCapture.create(file)) {
                    log.writeTo(capture);
                }
                List<long[]> waits = events(file, Cause.INVOLUNTARY_SWITCH);
                waits.addAll(events(file, Cause.RUN_QUEUE));
                assertThat(waits)
                        .anySatisfy(wait -> assertThat(wait[1] - wait[0]).isGreaterThan(5_000_000));
            });
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void signal(Process process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void writesNothingIfCausesAreNotObserved() throws Exception {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        Set<ObservedSource> others =
                Set.of(ObservedSource.DEPARTURES, ObservedSource.ARRIVALS, ObservedSource.TIMESTAMPING);
        try (CauseRecorder recorder = recorder(others, true, PacketThread.current())) {
            recorder.prepare();
            recorder.warmedUp();
            recorder.write();
            assertThat(SideFacts.entries(recorder.metadata()).keySet())
                    .allMatch(key -> key.startsWith("cpuQuota")); // the quota of this machine
        }
        assertThat(file).doesNotExist();
    }

    /** Without the scheduler, it does not sample the waits of the packet thread. */
    @ParameterizedTest
    @EnumSource(
            value = ObservedSource.class,
            names = {"SCHEDULER", "JVM", "DROPS", "EVENTS"})
    void recordsObservedSourcesAlone(ObservedSource source) throws Exception {
        boolean hasJvm = source == ObservedSource.JVM || source == ObservedSource.EVENTS;
        try (CauseRecorder recorder = recorder(Set.of(source), true, PacketThread.current())) {
            recorder.prepare();
            recorder.warmUp();
            recorder.warmedUp();
            System.gc();
            recorder.write();
            Map<String, Object> entries = SideFacts.entries(recorder.metadata());
            assertThat(entries.containsKey("waits"))
                    .isEqualTo(source == ObservedSource.SCHEDULER || source == ObservedSource.EVENTS);
            assertThat(entries.get("jvmEvents")).isEqualTo(hasJvm ? null : CauseFacts.NOT_OBSERVED);
        }
        assertThat(events(directory.resolve(EventsCapture.SENDER_FILE_NAME), Cause.GARBAGE_COLLECTION)
                        .isEmpty())
                .isEqualTo(!hasJvm);
    }

    /** Packets may wait in the sender's queue when it has sent the last one; the receiver's engine is closed soon. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsWithPacketsOnReceiverOnly(boolean isSender) throws Exception {
        AtomicLong looks = new AtomicLong();
        EventCounter counter = new EventCounter(Cause.KERNEL_DROP, looks::incrementAndGet);
        try (CauseRecorder recorder = recorder(isSender, PacketThread.current(), counter)) {
            recorder.warmedUp();
            awaitLooks(looks, 2);
            recorder.end();
            long atEnd = looks.get();
            if (isSender) {
                awaitLooks(looks, atEnd + 2);
            }
            recorder.write();
            assertThat(looks.get() > atEnd).isEqualTo(isSender);
        }
    }

    @Test
    void writesNothingIfClosedBeforeTheEnd() throws Exception {
        try (CauseRecorder recorder = recorder(true, PacketThread.current())) {
            recorder.prepare();
            recorder.warmedUp();
        }
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> Objects.equals(thread.getName(), "stall-meter"));
    }

    private static List<long[]> events(Path file, Cause cause) throws Exception {
        List<long[]> events = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(file)) {
            assertThat(capture.fields()).containsExactlyElementsOf(EventsCapture.FIELDS);
            for (long i = 0; i < capture.records(); i++) {
                if (capture.value(i, 0) == cause.code()) {
                    events.add(new long[] {capture.value(i, 1), capture.value(i, 2)});
                }
            }
        }
        return events;
    }
}

package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.clock.RealtimeClock;

/** Compares the record of a thread or process with disturbances that the tests cause. */
@Execution(ExecutionMode.SAME_THREAD)
class LinuxSchedulerRecordTest {
    private static final long MIN_NS = 10_000;

    private static final int EVENT_LONGS = EventsCapture.FIELDS.size();

    /** Read before a test pins its thread. */
    private static final int CPUS = Runtime.getRuntime().availableProcessors();

    /** How long after its end a wait without the observer can be read, at most. */
    private static final long READABLE_NS = 3_000_000;

    /** Longer than the sleeps of a test, and less than half of {@link #COUNT}. */
    private static final long LONG_NS = 10_000_000;

    /** How long a test waits for a stop before it causes another one. */
    private static final long RETRY_NS = 5_000_000_000L;

    /** Uses a CPU for tens of milliseconds, and ends although a timer on that CPU would wait. */
    private static final String COUNT = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";

    private static final String SPIN = "while :; do :; done";

    @TempDir
    Path directory;

    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(96 * EVENT_LONGS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Wait> waits = new ArrayList<>();

    private record Wait(long cause, long startNs, long endNs, String program) {}

    /** Two readings of the clock, one after the other. */
    private record Gap(long startNs, long endNs) {
        /** Returns whether at least half of the gap is a wait in it. */
        boolean isMostly(Wait wait) {
            return startNs <= wait.startNs && wait.endNs <= endNs && 2 * (wait.endNs - wait.startNs) >= endNs - startNs;
        }
    }

    @BeforeEach
    void requireRoot() throws Exception {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "only root has the rights for the observer and for real-time priorities");
    }

    @ParameterizedTest
    @CsvSource({"0, hog", "2000000, hog", "0,", "2000000,"})
    void namesProgramThatTakesCpu(long sleepNs, @Nullable String program) throws Exception {
        Path hog = Files.createSymbolicLink(directory.resolve("hog"), Path.of("/bin/sh"));
        String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
        run("taskset", "-cp", "0", thread);
        try (SchedulerRecord record = open(program != null, Long.parseLong(thread))) {
            // A kernel can omit a switch: then the program runs again.
            await().atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> {
                        List<Gap> gaps = gaps(
                                new ProcessBuilder(
                                        "taskset", "-c", "0", "chrt", "-f", "10", hog.toString(), "-c", COUNT),
                                sleepNs,
                                record);
                        readFor(READABLE_NS, record);
                        assertThat(waits).anySatisfy(wait -> {
                            assertThat(wait.program).isEqualTo(program);
                            assertThat(Cause.ofCode(wait.cause)).matches(Cause::isWait);
                            assertThat(gaps).anyMatch(gap -> gap.isMostly(wait));
                        });
                    });
        } finally {
            run("taskset", "-cp", "0-" + (CPUS - 1), thread);
        }
    }

    /** A terminal sends SIGTSTP. A kernel can omit a switch, and so a stop: then the process is stopped again. */
    @ParameterizedTest
    @CsvSource({"true, STOP", "false, STOP", "true, TSTP", "false, TSTP"})
    void recordsStopOfAnotherProcess(boolean isOfObserver, String signal) throws Exception {
        // SIGTSTP stops no process of an orphaned group; timeout makes a group whose parent is in another one
        Process timeout = new ProcessBuilder("timeout", "600", "sh", "-c", SPIN).start();
        ProcessHandle process = await().atMost(Duration.ofMinutes(2))
                .until(() -> timeout.children().findFirst(), Optional::isPresent)
                .orElseThrow();
        try (SchedulerRecord record = open(isOfObserver, process.pid())) {
            readOnce(record);
            await().atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> recordsStop(record, process, signal), recorded -> recorded);
        } finally {
            process.destroyForcibly();
            timeout.destroyForcibly().waitFor();
        }
    }

    /** Stops and continues a process. Returns whether that was recorded, with the right times. */
    private boolean recordsStop(SchedulerRecord record, ProcessHandle process, String signal) throws Exception {
        long sinceNs = RealtimeClock.nowNs();
        run("kill", "-" + signal, Long.toString(process.pid()));
        await().atMost(Duration.ofSeconds(60)).until(() -> state(process).equals("T"));
        long stoppedNs = RealtimeClock.nowNs();
        readFor(READABLE_NS, record);
        long beforeNs = RealtimeClock.nowNs();
        readOnce(record); // the record sees that the process is stopped: no wait begins before
        run("kill", "-CONT", Long.toString(process.pid()));
        do {
            readOnce(record);
        } while (stopsSince(sinceNs).isEmpty() && RealtimeClock.nowNs() < beforeNs + RETRY_NS);
        long ranNs = RealtimeClock.nowNs(); // a kernel can omit a part of the wait for a CPU after the stop
        assertThat(stopsSince(sinceNs)).hasSizeLessThan(2).allSatisfy(stop -> {
            assertThat(stop.startNs).isLessThan(stoppedNs);
            assertThat(stop.endNs).isBetween(beforeNs, ranNs);
            assertThat(stop.program).isNull();
        });
        return !stopsSince(sinceNs).isEmpty();
    }

    private List<Wait> stopsSince(long sinceNs) {
        return waits.stream()
                .filter(wait -> wait.cause == Cause.STALL.code() && wait.endNs > sinceNs)
                .toList();
    }

    /** Opens the record of a thread by the observer, or by the switches of the thread alone. */
    private static SchedulerRecord open(boolean isOfObserver, long thread) throws Exception {
        return isOfObserver
                ? open(thread, MIN_NS)
                : LinuxSchedulerRecord.Provider.openOfThread(thread, MIN_NS, "no root");
    }

    /** Opens the record of the observer; skips the test if this kernel refuses it. */
    private static SchedulerRecord open(long thread, long minNs) throws Exception {
        SchedulerRecord record = new LinuxSchedulerRecord.Provider().open(thread, minNs);
        String refusal = record.withoutPrograms();
        if (refusal != null) {
            record.close();
            assumeTrue(false, refusal);
        }
        return record;
    }

    /** A kernel can omit switches and wake-ups, for example those while some of its threads run. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void recordsOrCountsEachSwitch(int cpu) throws Exception {
        assumeTrue(cpu < CPUS, "this machine has one processor");
        String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
        run("taskset", "-cp", Integer.toString(cpu), thread);
        try (SchedulerRecord record = open(Long.parseLong(thread), 0)) {
            long beforeNs = RealtimeClock.nowNs();
            long before = switches();
            for (int i = 0; i < 200; i++) {
                LockSupport.parkNanos(100_000);
            }
            long switched = switches() - before;
            long afterNs = RealtimeClock.nowNs();
            while (readOnce(record) > 0) {}
            long recorded = waits.stream()
                    .filter(wait -> wait.endNs > beforeNs && wait.endNs < afterNs)
                    .count();
            assertThat(recorded + record.lost()).isGreaterThanOrEqualTo(switched);
            assertThat(record.lost()).isLessThanOrEqualTo(switched + 10); // each switch is lost at most once
        } finally {
            run("taskset", "-cp", "0-" + (CPUS - 1), thread);
        }
    }

    @Test
    void recordsOnlyWhileArmed() throws Exception {
        String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
        try (SchedulerRecord record = open(Long.parseLong(thread), 0)) {
            sleepUntilRecorded(record, RealtimeClock.nowNs());
            record.disarm();
            long disarmedNs = RealtimeClock.nowNs();
            LockSupport.parkNanos(LONG_NS);
            long lost = record.lost();
            long switched = switches();
            await().atMost(Duration.ofMinutes(2)).pollInSameThread().until(() -> switches() > switched + 10);
            assertThat(record.lost()).isEqualTo(lost);
            long armedNs = RealtimeClock.nowNs();
            record.arm();
            sleepUntilRecorded(record, armedNs);
            assertThat(waits).noneMatch(wait -> wait.startNs < armedNs && wait.endNs > disarmedNs);
        }
    }

    private void sleepUntilRecorded(SchedulerRecord record, long sinceNs) {
        await().atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    readOnce(record);
                    return waits.stream().anyMatch(wait -> wait.endNs > sinceNs);
                });
    }

    @ParameterizedTest
    @CsvSource({"-1, CAP_BPF and CAP_PERFMON", "-2, CONFIG_DEBUG_INFO_BTF", "-22, Linux 5.18 or later"})
    void namesWhatObserverNeeds(int error, String requirement) {
        assertThat(LinuxSchedulerRecord.refusal(error, "5.18")).contains(requirement);
    }

    /** Returns how often this thread has lost a CPU. */
    private static long switches() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.contains("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    /** Reads all that can be read after a time. */
    private void readFor(long timeNs, SchedulerRecord record) {
        long beforeNs = RealtimeClock.nowNs();
        while (RealtimeClock.nowNs() < beforeNs + timeNs) {
            readOnce(record);
        }
        while (readOnce(record) > 0) {}
    }

    private int readOnce(SchedulerRecord record) {
        int count = record.read(buffer);
        LongBuffer fields = buffer.asLongBuffer();
        for (int wait = 0; wait < count; wait++) {
            long[] event = new long[EVENT_LONGS];
            fields.get(event);
            assertThat(event[3]).isEqualTo(event[2] - event[1]);
            waits.add(new Wait(event[0], event[1], event[2], EventsCapture.program(event[4], event[5])));
        }
        return count;
    }

    /** Returns the long gaps between readings of the clock while a program runs, with a sleep in each. */
    private List<Gap> gaps(ProcessBuilder program, long sleepNs, SchedulerRecord record) throws IOException {
        List<Gap> gaps = new ArrayList<>();
        Process process = program.start();
        long beforeNs = RealtimeClock.nowNs();
        boolean isAlive = true;
        while (isAlive) {
            isAlive = process.isAlive();
            readOnce(record);
            LockSupport.parkNanos(sleepNs);
            long nowNs = RealtimeClock.nowNs();
            if (nowNs - beforeNs > LONG_NS) {
                gaps.add(new Gap(beforeNs, nowNs));
            }
            beforeNs = nowNs;
        }
        return gaps;
    }

    private static String state(ProcessHandle process) throws Exception {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }
}

package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.recorder.PacketThread;

/** The samples of a thread whose files the test writes. */
class RunQueueMonitorTest {
    private static final long MS = 1_000_000;

    private final EventLog log = new EventLog();

    @TempDir
    private Path directory;

    /** Since Linux 6.12 a thread that sleeps can stay queued: the kernel then counts its sleep as a wait. */
    @Test
    void beginsWaitOnlyAfterThreadWasSeenAsleep() throws Exception {
        write("S (sleeping)", 0);
        try (RunQueueMonitor monitor = RunQueueMonitor.of(new PacketThread(directory), log)) {
            monitor.look(0, 10 * MS);
            write("R (running)", 10 * MS);
            monitor.look(10 * MS, 11 * MS);
        }
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        try (CaptureReader events = CaptureReader.open(file)) {
            assertThat(events.records()).isEqualTo(1);
            assertThat(events.value(0, events.field("cause"))).isEqualTo(Cause.RUN_QUEUE.code());
            assertThat(events.value(0, events.field("start_ns"))).isEqualTo(10 * MS);
            assertThat(events.value(0, events.field("end_ns"))).isEqualTo(11 * MS);
            assertThat(events.value(0, events.field("took_ns"))).isEqualTo(MS);
        }
    }

    private void write(String state, long waitedNs) throws Exception {
        Files.writeString(directory.resolve("schedstat"), "1000 " + waitedNs + " 5\n");
        Files.writeString(
                directory.resolve("status"),
                "Name:\tpackets\nState:\t" + state + "\nvoluntary_ctxt_switches:\t7\n"
                        + "nonvoluntary_ctxt_switches:\t0\n");
    }
}

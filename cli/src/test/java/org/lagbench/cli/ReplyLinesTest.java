package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.runner.sweep.Progress;

class ReplyLinesTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;

    /** Long ago, so that each packet without a reply is without a reply in time. */
    private static final long SENT_NS = SECOND;

    private final RunSpec run = new RunSpec(
            "run-1",
            new Point(
                    "udp",
                    64,
                    5,
                    0,
                    Pace.flood(),
                    TrafficSpec.ONE_WAY,
                    Settings.of(List.of(), Map.of()),
                    new EngineSpec("c", JvmOptions.NONE),
                    Set.of(),
                    RunConditions.of(Duration.ZERO, Duration.ofSeconds(30))),
            1,
            null);
    private final RunSpec.RunGroup group = new RunSpec.RunGroup(run.name(), List.of(run));
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path runs;

    @Test
    void namesCopiesLateAndMissingReplies() throws Exception {
        try (ReplyLines lines = lines()) {
            lines.started(group);
            Path directory = Files.createDirectories(runs.resolve(run.name()));
            try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 5, false);
                    ReceiverCapture replies = ReceiverCapture.create(
                            directory.resolve(ReceiverCapture.REPLIES_FILE_NAME), 10, ReceiverCapture.REPLY_FIELDS)) {
                replies.append(0, SENT_NS + 85_200, 0); // the record of its packet is written later
                for (int packet = 0; packet < 4; packet++) {
                    sent.append(packet, SENT_NS, SENT_NS, SENT_NS);
                }
                replies.append(2, SENT_NS + 2 * MS, 0);
                replies.append(2, SENT_NS + 3 * MS, 0);
                replies.append(1, SENT_NS + 1_500 * MS, 0);
                await().atMost(Duration.ofMinutes(2)).until(() -> out.toString().contains("seq=3"));
                sent.append(4, SENT_NS, SENT_NS, SENT_NS);
            }
            lines.ended(group, Progress.DONE, Duration.ZERO, Duration.ZERO);
        }
        assertThat(out.toString().lines())
                .containsExactlyInAnyOrder(
                        "64 bytes from there: seq=0 time=85.2 µs",
                        "64 bytes from there: seq=2 time=2.00 ms",
                        "64 bytes from there: seq=2 time=3.00 ms (copy)",
                        "64 bytes from there: seq=1 time=1.50 s (late)",
                        "no reply: seq=3 within 1s",
                        "no reply: seq=4 within 1s");
    }

    @Test
    void printsSummaryOfInterruptedRun() throws Exception {
        try (ReplyLines lines = lines()) {
            Path directory = Files.createDirectories(runs.resolve(run.name()));
            try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 5, false);
                    ReceiverCapture replies = ReceiverCapture.create(
                            directory.resolve(ReceiverCapture.REPLIES_FILE_NAME), 10, ReceiverCapture.REPLY_FIELDS)) {
                for (int packet = 0; packet < 3; packet++) {
                    sent.append(packet, SENT_NS, SENT_NS, SENT_NS);
                    replies.append(packet, SENT_NS + (packet + 1) * MS, 0);
                }
            }
            lines.started(group);
            lines.ended(group, "interrupted", Duration.ZERO, Duration.ZERO);
        }
        assertThat(out.toString().lines())
                .endsWith(
                        "3 packets sent, 3 with a reply in time; round trip min 1.00 ms, median 2.00 ms, max 3.00 ms.");
    }

    private ReplyLines lines() {
        return new ReplyLines(
                "there", Duration.ofSeconds(1), runs, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}

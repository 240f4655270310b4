package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;

class BufferMetricsTest {
    private static final long T = 1_790_000_000_000_000_000L;

    @TempDir
    private Path directory;

    @Test
    void samplesBuffersBetweenFirstAndLastPacket() throws Exception {
        try (SenderCapture sender = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 2, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), 2, false)) {
            for (int i = 0; i < 2; i++) {
                long sentNs = T + i * 1_000_000L;
                sender.append(i, sentNs, sentNs, sentNs + 1);
                receiver.append(i, T + (i == 0 ? 10 : 2_000_000), 0);
            }
        }
        try (GrowingCapture sender = GrowingCapture.create(
                        directory.resolve("sender-buffers.npy"),
                        List.of(
                                "at_ns",
                                "send_bytes",
                                "not_sent_bytes",
                                "unacked_bytes",
                                "busy_us",
                                "rwnd_limited_us",
                                "sndbuf_limited_us"));
                GrowingCapture receiver = GrowingCapture.create(
                        directory.resolve("receiver-buffers.npy"), List.of("at_ns", "receive_bytes"))) {
            sender.append(T - 1, 999_999, 0, 0, 0, 0, 0);
            sender.append(T, 100, 60, 40, 1_000, 500, 0);
            sender.append(T + 1_000_000, 300, 200, 100, 2_000, 750, 0);
            sender.append(T + 2_000_001, 999_999, 0, 0, 9_000, 9_000, 9_000);
            receiver.append(T + 5, -1);
        }
        try (JoinedRun run = JoinedRun.open(directory)) {
            BufferMetrics figures = BufferMetrics.of(Map.of(directory, run));

            assertThat(figures).isNotNull();
            assertThat(figures.levels().get("send")).isEqualTo(new BufferMetrics.Level(2, 200, 290, 300));
            assertThat(figures.levels()).doesNotContainKey("receive");
            assertThat(figures.shares())
                    .containsEntry("busy", 1.0)
                    .containsEntry("receiveWindowLimited", 0.25)
                    .containsEntry("sendBufferLimited", 0.0);
        }
    }
}

package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.timeseries.ReceivedInterval;

/** Joins intervals with the capture of a sender that is still sending. */
class LiveRunTest {
    private static final long ORIGIN_NS = 1_790_000_000_000_000_000L;

    /** Packets 0 to 4, sent every 100 ns from 0 on, received 10, 50, 20, 40 and 30 ns later. */
    private static final List<Long> FIVE_STAMPS = List.of(0L, ORIGIN_NS + 10, 1L, 140L, 1L, 70L, 1L, 120L, 1L, 90L);

    @Test
    void computesQuantilesOfKnownLags(@TempDir Path directory) throws Exception {
        try (SenderCapture capture = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 1_000, false);
                LiveRun run = LiveRun.open(directory, 992)) {
            send(capture, 5);
            LiveInterval first = run.add(new ReceivedInterval(1_000_000_000, 10, 11, 1, 0, false, FIVE_STAMPS));
            assertThat(first.sent()).isEqualTo(5);
            assertThat(first.lags()).isEqualTo(5);
            assertThat(first.sampled()).isTrue();
            assertThat(first.medianNs()).isEqualTo(30);
            assertThat(first.q99Ns()).isEqualTo(49.6, within(1e-9)); // 40 + 0.96 · 10
            assertThat(first.receivedPerS()).isEqualTo(10);
            assertThat(first.beganS()).isZero();

            send(capture, 3);
            LiveInterval last = run.add(new ReceivedInterval(0, 0, 2, 2, 0, true, List.of()));
            assertThat(last.sent()).isEqualTo(3);
            assertThat(last.lags()).isZero();
            assertThat(last.medianNs()).isNaN();
            assertThat(last.receivedPerS()).isNaN();
            assertThat(last.beganS()).isEqualTo(first.endedS());
        }
    }

    @Test
    void excludesPacketsNotRecordedBySender(@TempDir Path directory) throws Exception {
        try (SenderCapture capture = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 1_000, false);
                LiveRun run = LiveRun.open(directory, 992)) {
            send(capture, 2);
            LiveInterval interval = run.add(new ReceivedInterval(1_000_000_000, 9, 5, 0, 0, false, FIVE_STAMPS));
            assertThat(interval.lags()).isEqualTo(2);
            assertThat(interval.sampled()).isFalse(); // four of the nine packets received are copies
            assertThat(interval.medianNs()).isEqualTo(30);
        }
    }

    @Test
    void hasEachMetricOfInterval() {
        ReceivedInterval received = new ReceivedInterval(500_000_000, 95, 98, 4, 1, false, List.of());
        LiveInterval interval = new LiveInterval(992, 1, 2, 100, 110, 300, received, 190, false, 94, 14_200, 51_300);
        Map<String, Double> values = new LinkedHashMap<>();
        LiveInterval.METRICS.forEach(each -> each.forEach(interval, (metric, value) -> values.put(metric.id(), value)));

        assertThat(values)
                .containsExactly(
                        entry("lag.median", 14.2),
                        entry("lag.q99", 51.3),
                        entry("lag.count", 94.0),
                        entry("loss", 100 * 4 / 98.0),
                        entry("packets.sent", 100.0),
                        entry("packets.received", 95.0),
                        entry("packets.lost", 4.0),
                        entry("rates.sent.packetsPerS", 110.0),
                        entry("rates.received.packetsPerS", 190.0),
                        entry("sendRate", 110 * 992 * 8 / 1e6),
                        entry("receiveRate", 190 * 992 * 8 / 1e6));
    }

    /** Sends packets every 100 ns after those before. */
    private static void send(SenderCapture capture, int packets) {
        for (int i = 0; i < packets; i++) {
            long sequence = capture.records();
            long atNs = ORIGIN_NS + 100 * sequence;
            capture.append(sequence, atNs, atNs, atNs + 1);
        }
    }
}

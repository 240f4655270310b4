package org.lagbench.analysis.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.StageMetrics.QuantileComposition;
import org.lagbench.analysis.stage.StageMetrics.StageStatistics;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;

class StageMetricsTest {
    private static final long T = 1_790_000_000_000_000_000L;

    @TempDir
    private Path directory;

    @Test
    void dividesALagIntoItsStages() throws Exception {
        // sent 0, queued 10, driver 30, arrived 60, received 100; the second arrived while the reader was busy
        long[][] sent = {{0, T - 5, T}, {1, T + 40, T + 45}};
        long[][] kernel = {{1, 0, T + 10}, {0, 0, T + 30}, {1, 1, T + 46}, {0, 1, T + 50}};
        long[][] received = {{0, T + 100, T + 60}, {1, T + 130, T + 70}};
        try (JoinedRun run = run(sent, kernel, received)) {
            SocketStages stages = new SocketStages(run, directory.resolve(KernelCapture.FILE_NAME), 0, 1, true);
            long[][] found = new long[2][];
            int[] count = new int[1];
            long missing = stages.forEach(packet -> {
                long[] parts = new long[Stage.values().length + 1];
                for (Stage stage : Stage.values()) {
                    parts[stage.place()] = packet.ns(stage);
                }
                parts[Stage.values().length] = packet.lagNs();
                found[count[0]++] = parts;
            });

            assertThat(missing).isZero();
            // application, socket buffer, queueing discipline, transmit queue, retransmission, wire, head of line,
            // receive buffer, reader; lag
            assertThat(found[0]).containsExactly(5, 10, 20, 0, 0, 30, 0, 0, 40, 100);
            assertThat(found[1]).containsExactly(5, 1, 4, 0, 0, 20, 0, 30, 30, 85);
        }
    }

    @Test
    void separatesRetransmissionFromTheWaitsBehindIt() throws Exception {
        // packets of 100 bytes; the second is lost, retransmitted at 450 and arrives at 490, the third at 330
        long[][] sent = {{0, T, T}, {1, T + 100, T + 100}, {2, T + 200, T + 200}, {3, T + 600, T + 600}};
        long[][] kernel = {
            {1, 99, T + 10}, {0, 99, T + 20},
            {1, 199, T + 110}, {0, 199, T + 120},
            {1, 299, T + 210}, {0, 299, T + 220},
            {1, 199, T + 440}, {0, 199, T + 450},
            {1, 399, T + 610}, {0, 399, T + 620},
            {0, 399, T + 900} // retransmitted after it had arrived
        };
        long[][] received = {{0, T + 70, T + 60}, {1, T + 500, T + 490}, {2, T + 505, T + 330}, {3, T + 670, T + 660}};
        try (JoinedRun run = run(sent, kernel, received)) {
            SocketStages stages = new SocketStages(run, directory.resolve(KernelCapture.FILE_NAME), 99, 100, false);
            long[][] found = new long[4][];
            int[] count = new int[1];
            long missing = stages.forEach(packet -> found[count[0]++] = new long[] {
                packet.ns(Stage.RETRANSMISSION),
                packet.ns(Stage.WIRE),
                packet.ns(Stage.HEAD_OF_LINE),
                packet.ns(Stage.RECEIVE_BUFFER),
                packet.ns(Stage.READER),
                packet.lagNs()
            });

            assertThat(missing).isZero();
            assertThat(found[0]).containsExactly(0, 40, 0, 0, 10, 70);
            assertThat(found[1]).containsExactly(330, 40, 0, 0, 10, 400);
            assertThat(found[2]).containsExactly(0, 110, 160, 10, 5, 305);
            assertThat(found[3]).containsExactly(0, 40, 0, 0, 10, 70);
        }
    }

    @Test
    void allowsForPacketsInsideASplitSegment() throws Exception {
        // two packets of 100 bytes in one segment; the first arrived before the end of the second was sent
        long[][] sent = {{0, T, T}, {1, T + 1, T + 1}};
        long[][] kernel = {{1, 199, T + 10}, {0, 199, T + 50}};
        long[][] received = {{0, T + 45, T + 40}, {1, T + 65, T + 60}};
        try (JoinedRun run = run(sent, kernel, received)) {
            long[][] found = new long[2][];
            int[] count = new int[1];
            new SocketStages(run, directory.resolve(KernelCapture.FILE_NAME), 99, 100, false)
                    .forEach(packet -> found[count[0]++] =
                            new long[] {packet.ns(Stage.QUEUEING_DISCIPLINE), packet.ns(Stage.WIRE), packet.lagNs()});

            assertThat(found[0]).containsExactly(30, 0, 45);
            assertThat(found[1]).containsExactly(40, 10, 64);
        }
    }

    @Test
    void excludesPacketsWithoutAllStamps() throws Exception {
        long[][] sent = {{0, T, T}, {1, T, T}, {2, T, T}};
        long[][] kernel = {{1, 0, T + 1}, {0, 0, T + 2}, {1, 1, T + 1}, {1, 2, T + 1}, {0, 2, T + 2}};
        long[][] received = {{0, T + 10, T + 5}, {1, T + 20, T + 6}, {2, T + 30, 0}};
        try (JoinedRun run = run(sent, kernel, received)) {
            StageMetrics figures = StageMetrics.of(
                    List.of(new SocketStages(run, directory.resolve(KernelCapture.FILE_NAME), 0, 1, false)), null);

            assertThat(figures.packets()).isEqualTo(1);
            assertThat(figures.incomplete()).isEqualTo(2);
            assertThat(figures.lag().medianNs()).isEqualTo(10);
        }
    }

    @Test
    void compositionsAddUpToTheQuantile() throws Exception {
        int packets = 10_000;
        long[][] sent = new long[packets][];
        long[][] kernel = new long[2 * packets][];
        long[][] received = new long[packets][];
        for (int i = 0; i < packets; i++) {
            long at = T + 10_000_000L * i;
            long queueNs = 100_000 + 50L * i; // a lag that grows, all of it in the queueing discipline
            sent[i] = new long[] {i, at, at};
            kernel[2 * i] = new long[] {1, i, at + 1_000};
            kernel[2 * i + 1] = new long[] {0, i, at + 1_000 + queueNs};
            received[i] = new long[] {i, at + 6_000 + queueNs, at + 3_000 + queueNs};
        }
        try (JoinedRun run = run(sent, kernel, received)) {
            StageMetrics figures = StageMetrics.of(
                    List.of(new SocketStages(run, directory.resolve(KernelCapture.FILE_NAME), 0, 1, false)), null);

            for (QuantileComposition composition : figures.compositions().values()) {
                double quantileNs = 106_000 + 50.0 * (packets - 1) * composition.percent() / 100;
                assertThat(composition.lagNs()).isEqualTo(quantileNs, within(1e-3));
                assertThat(composition.sumNs()).isEqualTo(quantileNs, within(0.01 * quantileNs));
                assertThat(composition.meanNs())
                        .containsEntry(Stage.SOCKET_BUFFER, 1_000.0)
                        .containsEntry(Stage.WIRE, 2_000.0)
                        .containsEntry(Stage.READER, 3_000.0);
                assertThat(composition.packets()).isPositive();
            }
            assertThat(figures.stages().get(Stage.QUEUEING_DISCIPLINE).q99Ns())
                    .isEqualTo(100_000 + 50 * 0.99 * (packets - 1), within(1e-3));
        }
    }

    @Test
    void countsTheBusCycleAsWireTime() throws Exception {
        // an interrupt every two packets: both are delivered when the second's cycle is over
        long cycleNs = 125_000;
        Path senderCycles = directory.resolve("sender-cycles.npy");
        Path receiverCycles = directory.resolve("receiver-cycles.npy");
        for (Path file : List.of(senderCycles, receiverCycles)) {
            try (GrowingCapture clock = GrowingCapture.create(file, List.of("at_ns", "bus_ns"))) {
                clock.append(T, 128_000_000_000L - cycleNs); // the last cycle before the bus seconds wrap
            }
        }
        Path senderFile = directory.resolve(SenderCapture.FILE_NAME);
        Path receiverFile = directory.resolve(ReceiverCapture.FILE_NAME);
        try (SenderCapture sender = SenderCapture.create(senderFile, 2, true);
                ReceiverCapture receiver = ReceiverCapture.create(receiverFile, 2, true)) {
            sender.append(0, T, T + 1_000, T + 2_000);
            sender.append(1, T, T + 3_000, T + 4_000);
            sender.putBusCycle(0, 0); // begins at T + 125 µs
            sender.putBusCycle(1, 1);
            receiver.append(0, T + 3 * cycleNs + 7_000, 0);
            receiver.append(1, T + 3 * cycleNs + 8_000, 1);
        }
        try (JoinedRun run = JoinedRun.open(directory)) {
            StageMetrics figures =
                    StageMetrics.of(List.of(new BusStages(run, senderCycles, receiverCycles, false)), null);
            Map<Stage, StageStatistics> stages = figures.stages();

            assertThat(figures.incomplete()).isZero();
            assertThat(stages.get(Stage.TRANSMIT_QUEUE).meanNs()).isEqualTo((124_000 + 247_000) / 2.0);
            assertThat(stages.get(Stage.WIRE).meanNs()).isEqualTo(125_000);
            // the first waits a cycle for the interrupt; the second waits until the first is delivered
            assertThat(stages.get(Stage.RECEIVE_BUFFER).meanNs()).isEqualTo((125_000 + 7_000) / 2.0);
            assertThat(stages.get(Stage.READER).meanNs()).isEqualTo((7_000 + 1_000) / 2.0);
        }
    }

    @Test
    void allowsReceptionBeforeTheBusCycleEnds() throws Exception {
        // the first and third are delivered 10 and 11 µs after their cycles begin; the second waits for its reader
        Path clockFile = directory.resolve("cycles.npy");
        try (GrowingCapture clock = GrowingCapture.create(clockFile, List.of("at_ns", "bus_ns"))) {
            clock.append(T, 0);
        }
        long[] receivedUs = {135, 385, 386};
        Path senderFile = directory.resolve(SenderCapture.FILE_NAME);
        Path receiverFile = directory.resolve(ReceiverCapture.FILE_NAME);
        try (SenderCapture sender = SenderCapture.create(senderFile, 3, true);
                ReceiverCapture receiver = ReceiverCapture.create(receiverFile, 3, true)) {
            for (int i = 0; i < receivedUs.length; i++) {
                sender.append(i, T, T, T + 1);
                sender.putBusCycle(i, 1 + i); // the first begins at T + 125 µs
                receiver.append(i, T + 1_000 * receivedUs[i], 1 + i);
            }
        }
        try (JoinedRun run = JoinedRun.open(directory)) {
            long[][] found = new long[receivedUs.length][];
            int[] count = new int[1];
            new BusStages(run, clockFile, clockFile, false)
                    .forEach(packet -> found[count[0]++] = new long[] {
                        packet.ns(Stage.TRANSMIT_QUEUE),
                        packet.ns(Stage.WIRE),
                        packet.ns(Stage.RECEIVE_BUFFER),
                        packet.ns(Stage.READER),
                        packet.lagNs()
                    });

            assertThat(found[0]).containsExactly(125_000, 10_000, 0, 0, 135_000);
            assertThat(found[1]).containsExactly(250_000, 125_000, 0, 10_000, 385_000);
            assertThat(found[2]).containsExactly(375_000, 11_000, 0, 0, 386_000);
        }
    }

    @Test
    void samplesBuffersBetweenFirstAndLastPacket() throws Exception {
        long[][] sent = {{0, T, T}, {1, T + 1_000_000, T + 1_000_000}};
        long[][] received = {{0, T + 10, 0}, {1, T + 2_000_000, 0}};
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
        try (JoinedRun run = run(sent, new long[0][], received)) {
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

    /**
     * Writes a run of sent packets {number, scheduled, sent}, stamps {stage, key, time} and arrivals {number, received,
     * kernel}.
     */
    private JoinedRun run(long[][] sent, long[][] kernel, long[][] received) throws Exception {
        Path senderFile = directory.resolve(SenderCapture.FILE_NAME);
        Path receiverFile = directory.resolve(ReceiverCapture.FILE_NAME);
        try (SenderCapture sender = SenderCapture.create(senderFile, sent.length, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(receiverFile, received.length, ReceiverCapture.KERNEL_FIELDS);
                KernelCapture stamps =
                        KernelCapture.create(directory.resolve(KernelCapture.FILE_NAME), Math.max(1, kernel.length))) {
            for (long[] packet : sent) {
                sender.append(packet[0], packet[1], packet[2], packet[2] + 1);
            }
            for (long[] stamp : kernel) {
                stamps.append(stamp[0], stamp[1], stamp[2]);
            }
            for (long[] arrival : received) {
                receiver.append(arrival[0], arrival[1], arrival[2]);
            }
        }
        return JoinedRun.open(directory);
    }
}

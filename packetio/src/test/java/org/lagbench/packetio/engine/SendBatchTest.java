package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.nativeengine.Peer;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Tests which packets a sender collects to send them together, and when it sends them. */
class SendBatchTest {
    @TempDir
    private Path directory;

    /** The capture has no records until the batch is full and sent. */
    @ParameterizedTest
    @CsvSource({
        "tcp, SYSTEM_CALLS, 1, 24, 16",
        "tcp, SYSTEM_CALLS, 1, 1024, 16",
        "tcp, SYSTEM_CALLS, 1, 5000, 3",
        "tcp, SYSTEM_CALLS, 1, 20000, 1",
        "tcp, CHANNELS, 1, 24, 1",
        "udp, SYSTEM_CALLS, 1, 24, 16",
        "udp, CHANNELS, 1, 24, 1",
        "tcp, SYSTEM_CALLS, 4, 24, 4",
        "udp, SYSTEM_CALLS, 4, 24, 4"
    })
    void sendsWhenTheBatchIsFull(String transport, SocketApi socketApi, String batch, int packetBytes, int batchSize)
            throws Exception {
        Runs runs = new Runs(transport);
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(file, batchSize + 1, false);
                PacketSender sender = runs.sender(runs.run(packetBytes, Map.of("batch", batch), socketApi))) {
            sender.connect(peer.announcement());
            for (int i = 0; i < batchSize; i++) {
                assertThat(capture.records()).isZero();
                sender.send(i, SenderCapture.UNSCHEDULED, capture);
            }
            assertThat(capture.records()).isEqualTo(batchSize);
            sender.send(batchSize, SenderCapture.UNSCHEDULED, capture);
            sender.flush();
            assertThat(capture.records()).isEqualTo(batchSize + 1);
            for (int i = 0; i <= batchSize; i++) {
                assertThat(PacketLayout.sequence(peer.receive(packetBytes), 0)).isEqualTo(i);
            }
        }
    }

    /** The payload cycle has 52 packets of this size, which is not a multiple of the five packets sent together. */
    @ParameterizedTest
    @CsvSource({"udp, 1", "udp, 64", "tcp, 1", "tcp, 64"})
    void repeatsPayloadsAfterTheirCycle(String transport, String batch) throws Exception {
        Runs runs = new Runs(transport);
        int cycle = 52;
        List<ByteBuffer> payloads = new ArrayList<>();
        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 150, false);
                PacketSender sender = runs.sender(runs.run(5_000, Map.of("batch", batch)))) {
            sender.connect(peer.announcement());
            for (int i = 0; i < 150; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, capture);
                if (i % 5 == 4) {
                    sender.push();
                    for (int sequence = i - 4; sequence <= i; sequence++) {
                        ByteBuffer packet = peer.receive(5_000);
                        assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(sequence);
                        ByteBuffer payload = packet.position(PacketLayout.HEADER_BYTES);
                        if (sequence < cycle) {
                            assertThat(payloads).doesNotContain(payload);
                            payloads.add(payload);
                        } else {
                            assertThat(payload).isEqualTo(payloads.get(sequence % cycle));
                        }
                    }
                }
            }
        }
    }

    /**
     * All packets of a batch must be different packets of the cycle, which has 52. Some datagrams are dropped because
     * the receive buffer is full.
     */
    @ParameterizedTest
    @ValueSource(strings = {"java", "c"})
    void doesNotOverwritePacketsOfBatchLargerThanCycle(String engine) throws Exception {
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        SideConfig config = runs.side(5_000, Map.of("batch", "64"))
                .phases(0, 64, 0)
                .file(file)
                .build();
        try (Peer peer = Peer.of("udp");
                SenderCapture capture = SenderCapture.create(file, 64, false);
                SendEngine sender = runs.openSender(engine, config, capture)) {
            sender.connect(peer.announcement());
            sender.send(0, 64, Pace.flood());
            assertThat(capture.records()).isEqualTo(64);
            for (int i = 0; i < 10; i++) {
                assertThat(PacketLayout.sequence(peer.receive(5_000), 0)).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"udp, java", "udp, c", "tcp, java", "tcp, c"})
    void sendsABurstInOneCall(String transport, String engine) throws Exception {
        Runs runs = new Runs(transport);
        Path file = directory.resolve("sender.npy");
        SideConfig config = runs.side(101, Map.of("batch", "64"))
                .phases(0, 150, 0)
                .file(file)
                .build();
        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(file, 150, false);
                SendEngine sender = runs.openSender(engine, config, capture)) {
            sender.connect(peer.announcement());
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> assertThatThrownBy(
                            () -> sender.send(0, 150, new Pace(Pace.Mode.SLEEP, TimeUnit.SECONDS.toNanos(10), 3)))
                    .isInstanceOf(IOException.class));
            Set<Long> sentNs = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                sentNs.add(PacketLayout.sentNs(peer.receive(101), 0));
            }
            sender.stop();
            sending.get(60, TimeUnit.SECONDS);
            assertThat(sentNs).as("one call").hasSize(1);
            assertThat(capture.records()).isEqualTo(3);
        }
    }
}

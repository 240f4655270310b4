package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.packetio.nativeengine.Peer;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Tests that closing one end of a connection ends that end's calls, and that the peer notices. */
class ClosingTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "tcp, SYSTEM_CALLS, 1, none",
        "tcp, CHANNELS, 1, none",
        "udp, CHANNELS, 1, none",
        "udp, SYSTEM_CALLS, 1, none",
        "udp, SYSTEM_CALLS, 16, none",
        "udp, SYSTEM_CALLS, 1, 10s",
        "udp, SYSTEM_CALLS, 16, 10s"
    })
    void endsABlockedReceive(String transport, SocketApi socketApi, String batch, String busyPoll) throws Exception {
        Map<String, String> settings =
                transport.equals("tcp") ? Map.of() : Map.of("batch", batch, "busy-poll", busyPoll);
        try (LoopbackRun run = new LoopbackRun(directory, transport, "127.0.0.1", 24, 2, 0, settings, socketApi)) {
            run.startReceiving().connect().send(0, 1);
            await().atMost(60, TimeUnit.SECONDS)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> run.accounting.received() == 1);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // usually the call waits by then
            assertThat(run.isReceiving()).isTrue();
            run.receiver.close();
            run.receiver.close();
            run.awaitReceived();
            assertThat(run.receiver.receive(run.accounting)).isEqualTo(PacketReceiver.END);
        }
    }

    /** Only a packet that the kernel took completely counts as sent; the kernel delivers it even after the close. */
    @ParameterizedTest
    @EnumSource(SocketApi.class)
    void endsABlockedSend(SocketApi socketApi) throws Exception {
        int packetBytes = 1 << 20;
        Runs runs = new Runs("tcp");
        try (Peer peer = Peer.of("tcp");
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 1_000, false)) {
            PacketSender sender = runs.sender(runs.run(packetBytes, Map.of("send-buffer", "64KiB"), socketApi));
            sender.connect(peer.announcement());
            SocketChannel connection = peer.connection();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            sender.send(i, SenderCapture.UNSCHEDULED, sent);
                        }
                    })
                    .isInstanceOf(IOException.class));
            long bytes = read(connection, 2L * packetBytes); // at least one packet is sent, and another begun
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // usually the call waits by then
            sender.close();
            sender.close();
            sending.get(60, TimeUnit.SECONDS);
            assertThat(sent.records()).isPositive();
            bytes += read(connection, Long.MAX_VALUE);
            assertThat(bytes / packetBytes).isBetween(sent.records(), sent.records() + 1);
        }
    }

    /** Reads this many bytes, or to the end of the stream. */
    private static long read(SocketChannel connection, long max) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        long bytes = 0;
        while (bytes < max) {
            buffer.clear().limit(Math.toIntExact(Math.min(max - bytes, buffer.capacity())));
            int count = connection.read(buffer);
            if (count < 0) {
                break;
            }
            bytes += count;
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, SYSTEM_CALLS, 1",
        "tcp, SYSTEM_CALLS, 2",
        "tcp, CHANNELS, 1",
        "udp, SYSTEM_CALLS, 1",
        "udp, SYSTEM_CALLS, 2",
        "udp, CHANNELS, 1"
    })
    void sendsNothingAfterClosing(String transport, SocketApi socketApi, String batch) throws Exception {
        Runs runs = new Runs(transport);
        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            PacketSender sender = runs.sender(runs.run(101, Map.of("batch", batch), socketApi));
            sender.connect(peer.announcement());
            if (batch.equals("2")) {
                sender.send(0, SenderCapture.UNSCHEDULED, capture); // the sender keeps the packet for a batch of two
            }
            sender.close();
            sender.close();
            assertThatThrownBy(() -> {
                        if (batch.equals("1")) {
                            sender.send(0, SenderCapture.UNSCHEDULED, capture);
                        }
                        sender.push();
                    })
                    .isInstanceOf(IOException.class);
            assertThat(capture.records()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void makesThePeersSendOverTcpFail(SocketApi socketApi) throws Exception {
        try (LoopbackRun run = new LoopbackRun(directory, "tcp", "127.0.0.1", 101, 1_000_000, 0, Map.of(), socketApi)) {
            run.startReceiving().connect().send(0, 10);
            await().atMost(60, TimeUnit.SECONDS)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> run.accounting.received() == 10);
            run.receiver.close();
            assertThatThrownBy(() -> run.send(10, 1_000_000))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + run.port())
                    .hasMessageMatching(
                            "The receiver .* ended the TCP connection: (Broken pipe|Connection reset by peer)");
        }
    }

    /** The control connection reports the end of a receiver; a rejected packet costs no other. */
    @ParameterizedTest
    @CsvSource({"SYSTEM_CALLS, 1", "SYSTEM_CALLS, 16", "CHANNELS, 1"})
    void countsPacketsOverUdpThatThePeerRefuses(SocketApi socketApi, String batch) throws Exception {
        Map<String, String> settings = Map.of("batch", batch);
        try (LoopbackRun run = new LoopbackRun(directory, "udp", "127.0.0.1", 101, 1_000, 0, settings, socketApi)) {
            run.startReceiving().connect();
            run.receiver.close();
            // the kernel holds the socket until the receiving thread's call has returned
            await().atMost(60, TimeUnit.SECONDS).until(() -> !run.isReceiving());
            run.send(0, 1_000);

            assertThat(run.sender.metadata()).doesNotContainKey("failedSends");
            assertThat(run.sender.metadata().get("retriedSends"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsOnlyKeys("ECONNREFUSED");
        }
    }
}

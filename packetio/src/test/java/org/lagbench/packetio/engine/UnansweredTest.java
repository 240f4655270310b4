package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.nativeengine.Runs;

/** Senders of round trips whose peer answers badly, or not at all. */
class UnansweredTest {
    private static final int PACKETS = 12;
    private static final int BYTES = 64;
    /** Waits longer for a reply than a busy machine delays the peer. */
    private static final TrafficSpec PING_PONG = new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofMillis(500));

    @TempDir
    private Path directory;

    /** What a peer does with a datagram. */
    private interface Peer {
        void receive(DatagramSocket socket, DatagramPacket packet, int number) throws Exception;
    }

    private void sendTo(String engine, Peer peer, int packets) throws Exception {
        CompletableFuture<@Nullable Void> peers;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            peers = CompletableFuture.runAsync(() -> {
                DatagramPacket packet = new DatagramPacket(new byte[BYTES], BYTES);
                try {
                    for (int number = 0; !socket.isClosed(); number++) {
                        socket.receive(packet);
                        peer.receive(socket, packet, number);
                    }
                } catch (SocketException e) {
                    assertThat(socket.isClosed()).isTrue();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            send(engine, "udp", socket.getLocalPort(), packets);
        }
        peers.join();
    }

    private void send(String engine, String transport, int port, int packets) throws Exception {
        Runs runs = new Runs(transport);
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        try (SenderCapture sent = SenderCapture.create(file, packets, false);
                ReceiverCapture replies =
                        ReceiverCapture.create(repliesFile(), packets + 10L, ReceiverCapture.REPLY_FIELDS);
                SendEngine sender = runs.openSender(
                        engine, runs.roundTrips(BYTES, Map.of(), PING_PONG, packets, 0, 1, file, replies), sent)) {
            sender.connect(Map.of("port", Integer.toString(port)));
            sender.send(0, packets + 1L, Pace.flood());
            assertThat(sent.records()).isEqualTo(packets);
            metadata = sender.metadata();
            assertThat(metadata.get("repliesForeign")).hasToString(Integer.toString(foreign));
        }
    }

    private int foreign;
    private Map<String, Object> metadata = Map.of();

    private Path repliesFile() {
        return directory.resolve(ReceiverCapture.REPLIES_FILE_NAME);
    }

    private long[] answeredSequences() throws Exception {
        try (CaptureReader replies = CaptureReader.open(repliesFile())) {
            long[] sequences = new long[(int) replies.records()];
            for (int i = 0; i < sequences.length; i++) {
                sequences[i] = replies.value(i, replies.field("seq"));
            }
            return sequences;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c"})
    void continuesAfterTimeout(String engine) throws Exception {
        sendTo(
                engine,
                (socket, packet, number) -> {
                    if (number % 6 != 0) {
                        socket.send(packet);
                    }
                },
                PACKETS);

        assertThat(answeredSequences()).containsExactly(1, 2, 3, 4, 5, 7, 8, 9, 10, 11);
    }

    /**
     * The peer keeps each packet and sends it, twice, after the next one: after its reply timeout. The last replies may
     * come after the end of the sender, which waits for no later packet.
     */
    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c"})
    void keepsLateAnswersAndCopies(String engine) throws Exception {
        byte[][] kept = new byte[PACKETS + 1][];
        sendTo(
                engine,
                (socket, packet, number) -> {
                    kept[number] = packet.getData().clone();
                    if (number > 0) {
                        packet.setData(kept[number - 1]);
                        socket.send(packet);
                        socket.send(packet);
                        packet.setData(new byte[BYTES]);
                    }
                },
                4);

        assertThat(answeredSequences()).startsWith(0, 0, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c"})
    void countsGarbageAsForeign(String engine) throws Exception {
        foreign = 2 * (PACKETS + 1);
        sendTo(
                engine,
                (socket, packet, number) -> {
                    byte[] packetBytes = packet.getData().clone();
                    packet.setLength(BYTES - 1);
                    socket.send(packet); // a datagram that is too short
                    for (int i = 0; i < Long.BYTES; i++) {
                        packet.getData()[i] ^= 0x55; // a packet with another tag
                    }
                    packet.setLength(BYTES);
                    socket.send(packet);
                    packet.setData(packetBytes);
                    socket.send(packet);
                },
                PACKETS);

        assertThat(answeredSequences()).hasSize(PACKETS).isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c"})
    void countsRefusedPacketsWhenPeerDisappears(String engine) throws Exception {
        sendTo(
                engine,
                (socket, packet, number) -> {
                    socket.send(packet);
                    if (number == 4) {
                        socket.close();
                    }
                },
                6);

        assertThat(answeredSequences()).startsWith(0, 1, 2, 3, 4).hasSize(5);
        assertThat(metadata).doesNotContainKey("failedSends");
        assertThat(metadata.get("retriedSends"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsOnlyKeys("ECONNREFUSED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c"})
    void keepsStampsWhenConnectionEnds(String engine) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<@Nullable Void> peer = CompletableFuture.runAsync(() -> {
                try (Socket connection = listening.accept()) {
                    byte[] packet = new byte[BYTES];
                    for (int i = 0; i < 5; i++) {
                        assertThat(connection.getInputStream().readNBytes(packet, 0, BYTES))
                                .isEqualTo(BYTES);
                        connection.getOutputStream().write(packet);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThatThrownBy(() -> send(engine, "tcp", listening.getLocalPort(), PACKETS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended the TCP connection");
            peer.join();
        }

        assertThat(answeredSequences()).containsExactly(0, 1, 2, 3, 4);
    }
}

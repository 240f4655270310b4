package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.BootId;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.control.CaptureTransfer;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlConnection.RefusedException;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.packet.PacketLayout;

/** Tests a receiver with a fake sender. */
@Timeout(120)
class ReceiverServerTest {
    private static final long TAG = 0x0123_4567_89AB_CDEFL;
    private static final int PACKET_BYTES = 24;

    private static final ChronyClient CHRONY = ChronyClient.ofThisHost();

    @TempDir
    Path directory;

    private ReceiverServer server;
    private CompletableFuture<ExitCode> serving;

    @BeforeEach
    void start() throws LagbenchException {
        server = ReceiverServer.listen(Endpoint.parse("127.0.0.1:0"), null, null, directory, CHRONY);
        serving = serveInBackground(server, Long.MAX_VALUE);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        serving.get(60, TimeUnit.SECONDS);
    }

    @Test
    void countsPacketsAndKeepsArrivalOrder() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 5)) {
            for (long sequence : new long[] {0, 2, 1, 1, 4}) {
                packets.write(packet(TAG, sequence));
            }
            packets.write(packet(TAG + 1, 3));
            connection.write(new ControlMessage.Done(5));
            ControlMessage.Counted counted = connection.read(ControlMessage.Counted.class);

            assertThat(counted.counts().received()).isEqualTo(5);
            assertThat(counted.counts().distinct()).isEqualTo(4);
            assertThat(counted.counts().duplicated()).isEqualTo(1);
            assertThat(counted.counts().reordered()).isEqualTo(1);
            assertThat(counted.counts().foreign()).isEqualTo(1);
            assertThat(counted.counts().kernelDrops()).isZero();
            assertThat(counted.captureRecords()).isEqualTo(5);
            assertThat(counted.side().metadata())
                    .hasEntrySatisfying("packetThreadCpuNs", cpuNs -> assertThat(((Number) cpuNs).longValue())
                            .isPositive());
        }
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
            int field = capture.field("seq");
            assertThat(new long[] {
                        capture.value(0, field),
                        capture.value(1, field),
                        capture.value(2, field),
                        capture.value(3, field),
                        capture.value(4, field)
                    })
                    .containsExactly(0, 2, 1, 1, 4);
        }
    }

    @Test
    void transfersAllFilesToSender() throws Exception {
        Path fetched = Files.createDirectory(directory.resolve("fetched"));
        Path observed = directory.resolve("run/receiver-events.npy");
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 1)) {
            packets.write(packet(TAG, 0));
            Files.writeString(observed, "observed");
            Files.writeString(directory.resolve("run/sender.npy"), "the sender's");
            connection.write(new ControlMessage.Done(1));
            assertThat(connection.read(ControlMessage.Counted.class).files())
                    .containsExactly("receiver-events.npy", "receiver.npy");
            CaptureTransfer.receive(connection, fetched.resolve("receiver-events.npy"));
            CaptureTransfer.receive(connection, fetched.resolve("receiver.npy"));
        }

        assertThat(fetched.resolve("receiver.npy")).hasSameBinaryContentAs(directory.resolve("run/receiver.npy"));
        assertThat(fetched.resolve("receiver-events.npy")).hasSameBinaryContentAs(observed);
    }

    @Test
    void keepsStampsWhenSenderDies() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            for (int sequence = 0; sequence < 10; sequence++) {
                packets.write(packet(TAG, sequence));
            }
            await().atMost(60, TimeUnit.SECONDS).until(() -> {
                try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
                    return capture.records() == 10;
                }
            });
        }

        await().atMost(60, TimeUnit.SECONDS).until(() -> {
            try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
                return !capture.unfinished() && capture.records() == 10;
            }
        });
    }

    @Test
    void deletesFilesWhenSenderDiesBeforeFirstPacket() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            assertThat(packets.isConnected()).isTrue();
            assertThat(directory.resolve("run/receiver.npy")).exists();
        }

        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(directory).isEmptyDirectory());
    }

    @Test
    void notifiesSenderOfInterruption() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            assertThat(packets.isConnected()).isTrue();
            server.interrupt("Interrupted");

            assertThatThrownBy(() -> connection.read(ControlMessage.Counted.class))
                    .isInstanceOfSatisfying(RefusedException.class, refused -> assertThat(refused.asFailure())
                            .hasMessage("Interrupted")
                            .extracting(LagbenchException::exitCode)
                            .isEqualTo(ExitCode.INTERRUPTED));
            assertThat(connection.readUnlessClosed()).isNull();
        }
    }

    @Test
    void returnsExitCodeOfFirstFailure() throws Exception {
        try (ReceiverServer two = ReceiverServer.listen(Endpoint.parse("127.0.0.1:0"), null, null, directory, CHRONY)) {
            CompletableFuture<ExitCode> ended = serveInBackground(two, 2);
            assertThat(refusal(two, offer("smoke-signals", "run", 1, 24))).contains("no transport");
            try (ControlConnection connection = connect(two);
                    DatagramChannel packets = beginRun(connection, "run", 1_000)) {
                assertThat(packets.isConnected()).isTrue();
            }

            assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void servesNextSenderAfterOneDied() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "first", 10)) {
            packets.write(packet(TAG, 0));
        }

        await().atMost(60, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            try (ControlConnection connection = connect();
                    DatagramChannel packets = beginRun(connection, "second", 1)) {
                packets.write(packet(TAG, 0));
                connection.write(new ControlMessage.Done(1));
                return connection.read(ControlMessage.Counted.class).counts().distinct() == 1;
            }
        });
    }

    @Test
    void ignoresGarbageDuringRun() throws Exception {
        byte[] garbage = new byte[1 << 20];
        new Random(3).nextBytes(garbage);
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 2)) {
            packets.write(packet(TAG, 0));
            for (int i = 0; i < 3; i++) {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.endpoint().port())) {
                    socket.getOutputStream().write(garbage);
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
                }
            }
            packets.write(packet(TAG, 1));
            connection.write(new ControlMessage.Done(2));

            assertThat(connection.read(ControlMessage.Counted.class).counts().distinct())
                    .isEqualTo(2);
        }
    }

    @Test
    void refusesSecondSender() throws Exception {
        try (ControlConnection first = connect();
                DatagramChannel packets = beginRun(first, "run", 2);
                ControlConnection second = connect()) {
            assertThat(packets.isOpen()).isTrue();
            Handshake.introduce(second, null);
            second.write(offer("udp", "other", 2, PACKET_BYTES));

            assertThatThrownBy(() -> second.read(ControlMessage.Accepted.class))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("busy");
        }
    }

    @Test
    void refusesInvalidOfferWithReason() throws Exception {
        assertThat(refusal(offer("smoke-signals", "run", 1, 24))).contains("no transport \"smoke-signals\"");
        assertThat(refusal(offer("udp", "../run", 1, 24))).contains("name");
        assertThat(refusal(offer("udp", "run", 1, 23))).contains("smaller than its header");
        assertThat(refusal(offer("udp", "run", 1, 65_508))).contains("65508 bytes are too large");
        assertThat(refusal(offer("udp", "run", 0, 24))).contains("out of range");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void answersClockRequests() throws Exception {
        try (ControlConnection connection = connect();
                DatagramChannel packets = beginRun(connection, "run", 1)) {
            connection.write(new ControlMessage.Ping(7));
            ControlMessage.Pong pong = connection.read(ControlMessage.Pong.class);
            connection.write(new ControlMessage.AskClock());
            ControlMessage.ClockIs clock = connection.read(ControlMessage.ClockIs.class);
            packets.write(packet(TAG, 0));
            connection.write(new ControlMessage.Done(1));

            assertThat(pong.sentNs()).isEqualTo(7);
            assertThat(pong.repliedNs()).isGreaterThanOrEqualTo(pong.receivedNs());
            assertThat(clock.state().bootId()).isEqualTo(BootId.current());
            assertThat(connection.read(ControlMessage.Counted.class).clockSteps())
                    .isEmpty();
        }
    }

    @Test
    void requiresKeyForOtherAddresses() {
        assertThatThrownBy(() -> ReceiverServer.listen(Endpoint.parse("0.0.0.0:0"), null, null, directory, CHRONY))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.KEY))
                .hasMessageContaining("--key-file");
    }

    @Test
    void listensOnAnyAddressWithKey() throws Exception {
        SharedKey key = SharedKey.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        try (ReceiverServer everywhere =
                ReceiverServer.listen(Endpoint.parse("0.0.0.0:0"), key, null, directory, CHRONY)) {
            assertThat(everywhere.endpoint().port()).isPositive();
        }
    }

    @Test
    void namesPortInUse() {
        String taken = server.endpoint().toString();

        assertThatThrownBy(() -> ReceiverServer.listen(Endpoint.parse(taken), null, null, directory, CHRONY))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
                .hasMessageContaining(taken);
    }

    private static CompletableFuture<ExitCode> serveInBackground(ReceiverServer server, long runs) {
        return CompletableFuture.supplyAsync(() -> server.serve(runs), task -> new Thread(task, "serving").start());
    }

    private String refusal(ControlMessage.Offer offer) throws Exception {
        return refusal(server, offer);
    }

    private static String refusal(ReceiverServer server, ControlMessage.Offer offer) throws Exception {
        try (ControlConnection connection = connect(server)) {
            Handshake.introduce(connection, null);
            connection.write(offer);
            try {
                connection.read(ControlMessage.Accepted.class);
                throw new AssertionError("accepted: " + offer);
            } catch (RefusedException e) {
                awaitEnd(connection); // until then the server may still handle the refused offer
                return e.asFailure().sentence();
            }
        }
    }

    private static void awaitEnd(ControlConnection connection) {
        assertThatThrownBy(() -> connection.read(ControlMessage.Accepted.class)).isInstanceOf(IOException.class);
    }

    private ControlConnection connect() throws IOException {
        return connect(server);
    }

    private static ControlConnection connect(ReceiverServer server) throws IOException {
        return ControlConnection.ofSender(
                new Socket(InetAddress.getLoopbackAddress(), server.endpoint().port()));
    }

    private DatagramChannel beginRun(ControlConnection connection, String name, long packets) throws Exception {
        Handshake.introduce(connection, null);
        connection.write(offer("udp", name, packets, PACKET_BYTES));
        ControlMessage.Accepted accepted = connection.read(ControlMessage.Accepted.class);
        connection.write(new ControlMessage.Connected());
        connection.write(new ControlMessage.Begin());
        connection.read(ControlMessage.Begun.class);
        int port = Integer.parseInt(accepted.announced().get("port"));
        return DatagramChannel.open().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static ControlMessage.Offer offer(String transport, String name, long packets, int packetBytes) {
        return new ControlMessage.Offer(
                name,
                transport,
                packetBytes,
                packets,
                0,
                0,
                false,
                HexFormat.of().toHexDigits(TAG),
                Map.of(),
                "java",
                Set.of(),
                300,
                Map.of());
    }

    private static ByteBuffer packet(long tag, long sequence) {
        ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
        PacketLayout.putIdentity(packet, 0, tag, sequence);
        PacketLayout.putSentNs(packet, 0, 1);
        return packet;
    }
}

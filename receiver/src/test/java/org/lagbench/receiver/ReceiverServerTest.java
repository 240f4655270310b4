package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.lagbench.receiver.ReceiverUnderTest.beginRun;
import static org.lagbench.receiver.ReceiverUnderTest.offer;
import static org.lagbench.receiver.ReceiverUnderTest.packet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.Access;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.Handshake;
import org.lagbench.control.RefusedException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Endpoint;

/** Tests which connections and runs a receiver accepts, and that other connections do not disturb these. */
class ReceiverServerTest {
    @TempDir
    Path directory;

    private ReceiverUnderTest receiver;

    @BeforeEach
    void start() throws LagbenchException {
        receiver = new ReceiverUnderTest(directory, Long.MAX_VALUE, ReceiverUnderTest.NO_SENDERS);
    }

    @AfterEach
    void stop() throws Exception {
        receiver.close();
    }

    @Test
    void returnsExitCodeOfFirstFailure() throws Exception {
        try (ReceiverUnderTest two = new ReceiverUnderTest(directory, 2, ReceiverUnderTest.NO_SENDERS)) {
            assertThat(two.refusal(offer("smoke-signals", "run", 1, 24))).contains("no transport");
            try (ControlConnection connection = two.connect();
                    DatagramChannel packets = beginRun(connection, "run", 1_000)) {
                assertThat(packets.isConnected()).isTrue();
            }

            assertThat(two.awaitEnd()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void servesNextSenderAfterOneDied() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "first", 10)) {
            packets.write(packet(0));
        }

        await().atMost(60, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            try (ControlConnection connection = receiver.connect();
                    DatagramChannel packets = beginRun(connection, "second", 1)) {
                packets.write(packet(0));
                connection.write(new ControlMessage.Done(1));
                return connection.read(ControlMessage.Counted.class).counts().distinct() == 1;
            }
        });
    }

    @Test
    void ignoresGarbageDuringRun() throws Exception {
        byte[] garbage = new byte[1 << 20];
        new Random(3).nextBytes(garbage);
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 2)) {
            packets.write(packet(0));
            for (int i = 0; i < 3; i++) {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        receiver.server().endpoint().port())) {
                    socket.getOutputStream().write(garbage);
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
                }
            }
            packets.write(packet(1));
            connection.write(new ControlMessage.Done(2));

            assertThat(connection.read(ControlMessage.Counted.class).counts().distinct())
                    .isEqualTo(2);
        }
    }

    @Test
    void refusesSecondSender() throws Exception {
        try (ControlConnection first = receiver.connect();
                DatagramChannel packets = beginRun(first, "run", 2);
                ControlConnection second = receiver.connect()) {
            assertThat(packets.isOpen()).isTrue();
            Handshake.introduce(second, null);
            second.write(offer("udp", "other", 2, ReceiverUnderTest.PACKET_BYTES));

            assertThatThrownBy(() -> second.read(ControlMessage.Accepted.class))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("busy");
        }
    }

    @Test
    void refusesInvalidOfferWithReason() throws Exception {
        assertThat(receiver.refusal(offer("smoke-signals", "run", 1, 24))).contains("no transport \"smoke-signals\"");
        assertThat(receiver.refusal(offer("udp", "run", 1, 65_508)))
                .contains("65508 bytes are above the maximum of udp, 65507 bytes");
        assertThat(receiver.refusal(offer("udp", "run", 1, 23, Traffic.ROUND_TRIP)))
                .contains("23 bytes are below the minimum of udp, 24 bytes");
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "name, ../run, name",
        "transport, ../udp, transport",
        "packetBytes, 23, smallest are 24",
        "packets, 1000000001, packets",
        "mode, dance, run.point.pace.mode",
        "kind, both-ways, run.point.traffic.kind",
        "stallTimeout, PT0S, conditions",
        "settings, [], run.point.settings",
    })
    void refusesRunWithImpossibleValue(String member, String value, String named) throws Exception {
        String run = StrictJson.line(offer("udp", "run", 1, 24).run());
        String text = value.matches("\\d+|\\[]") ? value : "\"" + value + "\"";
        String changed = run.replaceFirst("\"" + member + "\":(\\{}|[^,}]+)", "\"" + member + "\":" + text);
        assertThat(changed).isNotEqualTo(run);
        try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        receiver.server().endpoint().port());
                ControlConnection connection = ControlConnection.ofSender(socket)) {
            Handshake.introduce(connection, null);
            String offer = "{\"type\":\"offer\",\"run\":" + changed
                    + ",\"leadInPackets\":0,\"leadOutPackets\":0,\"nonce\":\"00\",\"announced\":{}}\n";
            socket.getOutputStream().write(offer.getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> connection.read(ControlMessage.Accepted.class))
                    .hasMessageContaining("offer")
                    .hasMessageContaining(named);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void requiresKeyToListenBeyondLoopback() {
        assertThatThrownBy(() -> listen("0.0.0.0:0", null))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.KEY))
                .hasMessageContaining("--key-file");
    }

    @Test
    void listensOnAnyAddressWithKey() throws Exception {
        SharedKey key = new SharedKey("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        try (ReceiverServer everywhere = listen("0.0.0.0:0", key)) {
            assertThat(everywhere.endpoint().port()).isPositive();
        }
    }

    @Test
    void namesPortInUse() {
        String taken = receiver.server().endpoint().toString();

        assertThatThrownBy(() -> listen(taken, null))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
                .hasMessageContaining(taken);
    }

    @Test
    void rejectsUnknownHostToListenOn() {
        assertThatThrownBy(() -> listen("256.1.1.1:1", null))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("--listen: The host \"256.1.1.1\" is unknown");
    }

    private ReceiverServer listen(String endpoint, @Nullable SharedKey key) throws LagbenchException {
        return new ReceiverServer(
                Endpoint.parse(endpoint),
                Access.of(key, Access.Grant.DEFAULT),
                LocalEnd.ANY,
                directory,
                ReceiverUnderTest.CHRONY,
                ReceiverUnderTest.NO_SENDERS);
    }

    @Test
    void startsNoSenderUnlessItServes() throws Exception {
        assertThat(receiver.refusalOfSender(ReceiverUnderTest.request("java", "text")))
                .contains("cannot send; start it with lagbench serve");
    }
}

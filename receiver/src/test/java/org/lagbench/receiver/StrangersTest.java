package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.control.Access;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.Handshake;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.RefusedException;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.receiver.Connections.StrangerLog;

/** Tests that peers without the key, silent ones and forgers neither stop nor change the runs of others. */
class StrangersTest {
    private static final SenderPrograms NO_SENDERS = new SenderPrograms(List.of(), null, ClockPolicy.DEFAULT.chrony());
    private static final SharedKey KEY = new SharedKey("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final String NONCE = "0123456789abcdef";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptsSenderDespiteIdleConnections(boolean hasKey) throws Exception {
        SharedKey key = hasKey ? KEY : null;
        List<Socket> idle = new ArrayList<>();
        try (Serving receiver = new Serving(key)) {
            for (int i = 0; i < 2 * Connections.MAXIMUM_STRANGERS; i++) {
                idle.add(receiver.socket());
            }

            ReceiverConnection.open(receiver.server.endpoint(), key, new ShutdownCoordinator())
                    .close();

            Socket oldest = idle.get(0);
            oldest.setSoTimeout(60_000);
            assertThatCode(() -> oldest.getInputStream().readAllBytes())
                    .as("the oldest is closed, before or after its greeting")
                    .doesNotThrowAnyException();
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** A stranger can pass on the proofs of a sender and the receiver, but has no key to write a message. */
    @Test
    void treatsPeerWithoutMessageAsStranger() throws Exception {
        List<ControlConnection> silent = new ArrayList<>();
        try (Serving receiver = new Serving(KEY)) {
            for (int i = 0; i < 2 * Connections.MAXIMUM_KNOWN; i++) {
                silent.add(receiver.connect(KEY));
            }

            try (ControlConnection sender = receiver.connect(KEY)) {
                sender.write(new ControlMessage.Ask(ControlMessage.Question.READINGS));
                assertThat(sender.read(ControlMessage.ReadingsAre.class)).isNotNull();
            }
        } finally {
            for (ControlConnection connection : silent) {
                connection.close();
            }
        }
    }

    /** Each idle connection is from another address, so that only their total is limited. */
    @Test
    void keepsPeerInHandshakeDespiteIdleConnections() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (Serving receiver = new Serving(null);
                ControlConnection greeted = receiver.connect(null)) {
            for (int i = 1; i <= Connections.MAXIMUM_STRANGERS; i++) {
                Socket socket = new Socket();
                idle.add(socket);
                socket.bind(new InetSocketAddress("127.0.1." + i, 0));
                socket.connect(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(),
                        receiver.server.endpoint().port()));
            }
            Socket oldest = idle.get(0);
            oldest.setSoTimeout(60_000);
            assertThatCode(() -> oldest.getInputStream().readAllBytes()).doesNotThrowAnyException();

            greeted.write(new ControlMessage.Ask(ControlMessage.Question.READINGS));
            assertThat(greeted.read(ControlMessage.ReadingsAre.class)).isNotNull();
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** Each packet has a bit in memory. */
    @Test
    void limitsPacketsOfAllStreams() throws Exception {
        try (Serving receiver = new Serving(null);
                ControlConnection stream = receiver.connect(null);
                ControlConnection other = receiver.connect(null)) {
            stream.write(offer("a", "b", 1_000_000));
            stream.read(ControlMessage.Accepted.class);
            other.write(offer("b", "a", RunParameters.MAXIMUM_PACKETS));

            assertThatThrownBy(() -> other.read(ControlMessage.Accepted.class))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("at most 1000000000 packets at a time");
        }
    }

    /** An address has a limited number of connections, and each is one guess. */
    @Test
    void repliesToWrongProofAfterOneSecond() throws Exception {
        try (Serving receiver = new Serving(KEY);
                ControlConnection guessing = ControlConnection.ofSender(receiver.socket())) {
            guessing.read(ControlMessage.Hello.class);
            guessing.write(new ControlMessage.Introduction(ControlMessage.PROTOCOL, NONCE));
            guessing.read(ControlMessage.Welcome.class);
            long beganNs = System.nanoTime();
            guessing.write(new ControlMessage.Proof("00"));

            assertThat(guessing.readUnlessClosed()).isNull();
            assertThat(System.nanoTime() - beganNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(990));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsConnectionsOfAllStreamsOfRun(boolean isKeyed) throws Exception {
        List<ControlConnection> streams = new ArrayList<>();
        SharedKey key = isKeyed ? KEY : null;
        try (Serving receiver = new Serving(key)) {
            for (int i = 0; i < 2 * StreamRole.MAXIMUM_PARALLEL; i++) {
                streams.add(receiver.connect(key));
            }
            for (ControlConnection stream : streams) {
                stream.write(new ControlMessage.Ask(ControlMessage.Question.READINGS));
                assertThat(stream.read(ControlMessage.ReadingsAre.class)).isNotNull();
            }
        } finally {
            for (ControlConnection stream : streams) {
                stream.close();
            }
        }
    }

    @Test
    void reportsClosingReceiverAsBusy() throws Exception {
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                try {
                    closing.accept().close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            Endpoint endpoint = Endpoint.of((InetSocketAddress) closing.getLocalSocketAddress());

            assertThatThrownBy(() -> ReceiverConnection.open(endpoint, KEY, new ShutdownCoordinator()))
                    .isInstanceOfSatisfying(LagbenchException.class, e -> assertThat(e.exitCode())
                            .isEqualTo(ExitCode.PEER))
                    .hasMessageContaining("may be busy");
            closed.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("one-java")
    void endsRunOfSilentSender() throws Exception {
        try (Serving receiver = new Serving(null);
                ControlConnection stopped = receiver.sender(null, 1_000);
                ControlConnection next = receiver.connect(null)) {
            next.write(offer(1_000));
            assertThatThrownBy(() -> next.read(ControlMessage.Accepted.class))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("busy");

            await().atMost(60, TimeUnit.SECONDS)
                    .ignoreExceptionsInstanceOf(RefusedException.class)
                    .until(() -> {
                        try (ControlConnection another = receiver.sender(null, 1_000)) {
                            return another.peer().startsWith("127.0.0.1");
                        }
                    });
            assertThat(stopped.readUnlessClosed()).isInstanceOf(ControlMessage.Alive.class);
        }
    }

    @Test
    void countsForgedPacketsAsForeign() throws Exception {
        try (Serving receiver = new Serving(KEY);
                ControlConnection sender = receiver.sender(KEY, 60_000);
                ControlConnection listener = receiver.connect(KEY);
                DatagramChannel packets = DatagramChannel.open().connect(receiver.data)) {
            sender.write(new ControlMessage.Begin());
            sender.read(ControlMessage.Begun.class);
            packets.write(packet(sender.runTag(NONCE), 0));
            for (int sequence = 0; sequence < 4; sequence++) {
                packets.write(
                        packet(listener.runTag(NONCE), sequence)); // the stranger knows the nonce, not the session key
            }
            packets.write(packet(sender.runTag(NONCE), 1));
            packets.write(packet(sender.runTag(NONCE), 2));
            packets.write(packet(sender.runTag(NONCE), 3));
            sender.write(new ControlMessage.Done(4));
            ControlMessage.Counted counted = sender.read(ControlMessage.Counted.class);

            assertThat(counted.counts().foreign()).isEqualTo(4);
            assertThat(counted.counts().received()).isEqualTo(4);
            assertThat(counted.counts().distinct()).isEqualTo(4);
        }
    }

    @Test
    void namesFieldOfInvalidOffer() throws Exception {
        try (Serving receiver = new Serving(null);
                Socket socket = receiver.socket();
                ControlConnection sender = ControlConnection.ofSender(socket)) {
            Handshake.introduce(sender, null);
            socket.getOutputStream()
                    .write("{\"type\":\"offer\",\"run\":{\"name\":\"run\",\"point\":{\"transport\":7}}}\n"
                            .getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> sender.read(ControlMessage.Accepted.class))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("offer")
                    .hasMessageContaining("run.point.transport: 7 is not text");
        }
    }

    @Test
    void limitsLogLinesAboutStrangers() {
        List<String> lines = new ArrayList<>();
        AtomicLong nowNs = new AtomicLong();
        StrangerLog log = new StrangerLog(lines::add, nowNs::get);
        for (int i = 0; i < 1_000; i++) {
            log.write("line " + i);
        }
        assertThat(lines).hasSize(StrangerLog.MAXIMUM_LINES);
        assertThat(lines.get(StrangerLog.MAXIMUM_LINES - 1)).endsWith("left out for an hour");

        nowNs.set(TimeUnit.HOURS.toNanos(1));
        log.write("an hour later");

        assertThat(lines)
                .hasSize(StrangerLog.MAXIMUM_LINES + 2)
                .endsWith("990 more lines about connections without a proven key were left out", "an hour later");
    }

    private static ControlMessage.Offer offer(long stallMs) {
        return offer(null, 4, stallMs);
    }

    /** Returns the offer of one of two streams. */
    private static ControlMessage.Offer offer(String name, String other, long packets) {
        return offer(new StreamRole(name, StreamRole.Direction.FORWARD, List.of(other)), packets, 60_000);
    }

    private static ControlMessage.Offer offer(@Nullable StreamRole stream, long packets, long stallMs) {
        Point point = new Point(
                "udp",
                24,
                packets,
                0,
                new Pace(Pace.Mode.SPIN, 1_000),
                TrafficSpec.ONE_WAY,
                new Settings(Map.of()),
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.of(Duration.ofMillis(300), Duration.ofMillis(stallMs)));
        String name = stream == null ? "run" : "run-" + stream.name();
        return new ControlMessage.Offer(new RunSpec(name, point, 1, stream), 0, 1, NONCE, Map.of());
    }

    private static ByteBuffer packet(long tag, long sequence) {
        ByteBuffer packet = ByteBuffer.allocate(24);
        PacketLayout.putIdentity(packet, 0, tag, sequence);
        return packet;
    }

    /** A receiver that serves until it is closed. */
    private final class Serving implements AutoCloseable {
        final ReceiverServer server;
        InetSocketAddress data = new InetSocketAddress(0);
        private final CompletableFuture<ExitCode> ended;

        Serving(@Nullable SharedKey key) throws LagbenchException {
            server = new ReceiverServer(
                    Endpoint.parse("127.0.0.1:0"),
                    Access.of(key, Access.Grant.DEFAULT),
                    LocalEnd.ANY,
                    directory,
                    new ChronyClient(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT)),
                    NO_SENDERS);
            ended = CompletableFuture.supplyAsync(
                    () -> server.serve(Long.MAX_VALUE), task -> new Thread(task, "serving").start());
        }

        Socket socket() throws IOException {
            return new Socket(
                    InetAddress.getLoopbackAddress(), server.endpoint().port());
        }

        /** Connects a sender, which has completed the handshake. */
        ControlConnection connect(@Nullable SharedKey key) throws LagbenchException {
            return ReceiverConnection.open(server.endpoint(), key, new ShutdownCoordinator());
        }

        /** Connects a sender whose run was accepted. */
        ControlConnection sender(@Nullable SharedKey key, long stallMs) throws Exception {
            ControlConnection sender = connect(key);
            sender.write(offer(stallMs));
            ControlMessage.Accepted accepted = sender.read(ControlMessage.Accepted.class);
            data = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(),
                    Integer.parseInt(accepted.announced().get("port")));
            sender.write(new ControlMessage.Connected());
            return sender;
        }

        @Override
        public void close() {
            server.close();
            ended.join();
        }
    }
}

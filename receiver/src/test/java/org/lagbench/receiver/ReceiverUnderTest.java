package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.transport.PacketLayout;

/** A receiver under test, and a fake sender that connects to it over UDP. */
final class ReceiverUnderTest implements AutoCloseable {
    static final SenderPrograms NO_SENDERS = new SenderPrograms(List.of(), null, ClockPolicy.DEFAULT.chrony());
    static final ChronyClient CHRONY =
            new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT));
    static final int PACKET_BYTES = 24;

    private static final String NONCE = "0123456789abcdef";

    /** HMAC-SHA-256 with the nonce as key, of "run tag" and the nonce, each after its length; computed by OpenSSL. */
    private static final long TAG = 0xF848_34B5_6E88_0428L;

    private static final int LEAD_OUT = 2;

    private final ReceiverServer server;
    private final CompletableFuture<ExitCode> serving;

    /**
     * Starts a receiver on a free port of 127.0.0.1.
     *
     * @param runs the number of runs after which it ends
     */
    ReceiverUnderTest(Path directory, long runs, SenderPrograms senders) throws LagbenchException {
        this(directory, runs, senders, Access.of(null, Access.Grant.DEFAULT));
    }

    /** Starts a receiver like {@link #ReceiverUnderTest(Path, long, SenderPrograms)} with other keys or grants. */
    ReceiverUnderTest(Path directory, long runs, SenderPrograms senders, Access access) throws LagbenchException {
        server = new ReceiverServer(Endpoint.parse("127.0.0.1:0"), access, LocalEnd.ANY, directory, CHRONY, senders);
        serving = CompletableFuture.supplyAsync(() -> server.serve(runs), task -> new Thread(task, "serving").start());
    }

    ReceiverServer server() {
        return server;
    }

    /** Waits for the end of the receiver, and returns its exit code. */
    ExitCode awaitEnd() throws Exception {
        return serving.get(60, TimeUnit.SECONDS);
    }

    ControlConnection connect() throws IOException {
        return ControlConnection.ofSender(
                new Socket(InetAddress.getLoopbackAddress(), server.endpoint().port()));
    }

    /** Offers a run, and returns why it was refused. */
    String refusal(ControlMessage.Offer offer) throws Exception {
        try (ControlConnection connection = connect()) {
            Handshake.introduce(connection, null);
            connection.write(offer);
            try {
                connection.read(ControlMessage.Accepted.class);
                throw new AssertionError("accepted: " + offer);
            } catch (RefusedException e) {
                // Until the connection ends, the server may still handle the refused offer.
                assertThatThrownBy(() -> connection.read(ControlMessage.Accepted.class))
                        .isInstanceOf(IOException.class);
                return e.asFailure().sentence();
            }
        }
    }

    /** Requests a sender, and returns why it was refused. */
    String refusalOfSender(RunRequest request) throws Exception {
        try (ControlConnection connection =
                ReceiverConnection.open(server.endpoint(), null, new ShutdownCoordinator())) {
            connection.write(new ControlMessage.OpenSender(request));
            return connection.read(ControlMessage.Refused.class).text();
        }
    }

    /** Returns a request of a run by an engine, with these contents of its chunks. */
    static RunRequest request(String engine, String data) {
        Point point = new Point(
                "tcp",
                1_024,
                4,
                0,
                Pace.flood(),
                TrafficSpec.of(new TransferSpec(2_048, 2, false, new CompressionSpec("none", data))),
                new Settings(Map.of()),
                new EngineSpec(engine, JvmOptions.NONE),
                Set.of(),
                RunConditions.of(Duration.ofMillis(100), Duration.ofSeconds(5)));
        return new RunRequest(new RunSpec("run", point, 1, null), Duration.ofMillis(1), 100_000, Duration.ZERO, true);
    }

    /** Returns a request for packets one way. */
    static RunRequest request(String transport, Map<String, Object> settings) {
        RunRequest transfers = request("java", "text");
        Point point = transfers.run().point();
        Point packets = new Point(
                transport,
                point.packetBytes(),
                point.packets(),
                point.warmUpPackets(),
                point.pace(),
                TrafficSpec.ONE_WAY,
                new Settings(settings),
                point.program(),
                point.observe(),
                point.conditions());
        return new RunRequest(new RunSpec("run", packets, 1, null), Duration.ofMillis(1), 100_000, Duration.ZERO, true);
    }

    /** Begins a run, and returns a socket that is connected to its port. */
    static DatagramChannel beginRun(ControlConnection connection, String name, long packets) throws Exception {
        return beginRun(connection, name, packets, false);
    }

    /** Begins a run like {@link #beginRun(ControlConnection, String, long)}, watched if required. */
    static DatagramChannel beginRun(ControlConnection connection, String name, long packets, boolean watches)
            throws Exception {
        return beginRun(connection, offer("udp", name, packets, PACKET_BYTES), watches);
    }

    /** Begins a run over UDP like {@link #beginRun(ControlConnection, String, long, boolean)}. */
    static DatagramChannel beginRun(ControlConnection connection, ControlMessage.Offer offer, boolean watches)
            throws Exception {
        Handshake.introduce(connection, null);
        connection.write(offer);
        ControlMessage.Accepted accepted = connection.read(ControlMessage.Accepted.class);
        connection.write(new ControlMessage.Connected());
        if (watches) {
            connection.write(new ControlMessage.Watch());
        }
        connection.write(new ControlMessage.Begin());
        connection.read(ControlMessage.Begun.class);
        int port = Integer.parseInt(accepted.announced().get("port"));
        return DatagramChannel.open().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    static ControlMessage.Offer offer(String transport, String name, long packets, int packetBytes) {
        return offer(transport, name, packets, packetBytes, Traffic.ONE_WAY);
    }

    static ControlMessage.Offer offer(String transport, String name, long packets, int packetBytes, Traffic traffic) {
        Point point = new Point(
                transport,
                packetBytes,
                packets,
                0,
                new Pace(Pace.Mode.SPIN, 1_000),
                TrafficSpec.of(traffic),
                new Settings(Map.of()),
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.of(Duration.ofMillis(300), Duration.ofSeconds(60)));
        return offer(point, name);
    }

    static ControlMessage.Offer offer(Point point, String name) {
        return new ControlMessage.Offer(new RunSpec(name, point, 1, null), 0, LEAD_OUT, NONCE, Map.of());
    }

    static ByteBuffer packet(long sequence) {
        return packet(TAG, sequence);
    }

    /** Returns a packet of another run. */
    static ByteBuffer foreignPacket(long sequence) {
        return packet(~TAG, sequence);
    }

    private static ByteBuffer packet(long tag, long sequence) {
        ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
        PacketLayout.putIdentity(packet, 0, tag, sequence);
        PacketLayout.putSentNs(packet, 0, 1);
        return packet;
    }

    @Override
    public void close() throws ExecutionException {
        server.close();
        Uninterruptibly.get(serving);
    }
}

package org.lagbench.engines;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Both sides of a run of one engine in this process, joined by real sockets on loopback. */
final class InterfaceRun implements AutoCloseable {
    static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);
    static final long TAG = 0x1357_9bdf_0246_8aceL;

    final ReceiveEngine receiver;
    final SendEngine sender;
    final Path sentFile;
    final Path receivedFile;
    final List<String> failures = new CopyOnWriteArrayList<>();
    final Path repliesFile;
    private final PacketEngine engine;
    private final Transport transport;
    private final Point point;
    private final SenderCapture sent;
    private final ReceiverCapture received;
    private final @Nullable ReceiverCapture replies;
    private final @Nullable ReceiverCapture bytes;

    private InterfaceRun(
            Path directory,
            PacketEngine engine,
            Transport transport,
            Settings settings,
            TrafficSpec traffic,
            int packetBytes,
            int packets,
            int warmUp,
            int leadOut,
            Pace pace)
            throws IOException, LagbenchException {
        this.engine = engine;
        this.transport = transport;
        Path files = Files.createTempDirectory(directory, engine.name());
        boolean isAnswered = traffic.kind() == Traffic.ROUND_TRIP;
        sentFile = files.resolve(SenderCapture.FILE_NAME);
        receivedFile = files.resolve(ReceiverCapture.FILE_NAME);
        repliesFile = files.resolve(ReceiverCapture.REPLIES_FILE_NAME);
        sent = SenderCapture.create(sentFile, packets, false);
        received = isAnswered
                ? ReceiverCapture.create(receivedFile, packets, ReceiverCapture.ANSWERED_FIELDS)
                : ReceiverCapture.create(receivedFile, packets, false);
        replies = isAnswered ? ReceiverCapture.create(repliesFile, packets, ReceiverCapture.REPLY_FIELDS) : null;
        bytes = traffic.kind() == Traffic.TRANSFER
                ? ReceiverCapture.ofBytes(files.resolve(ReceiverCapture.BYTES_FILE_NAME), packets, packetBytes)
                : null;
        point = new Point(
                transport.name(),
                packetBytes,
                packets,
                warmUp,
                pace,
                traffic,
                settings,
                new EngineSpec(engine.name(), JvmOptions.NONE),
                Set.of(),
                RunConditions.DEFAULT);
        sender = engine.openSender(side(point, transport, leadOut, sentFile, replies, null, Map.of(), null), sent);
        receiver = engine.openReceiver(
                side(
                        point,
                        transport,
                        leadOut,
                        receivedFile,
                        null,
                        bytes,
                        sender.announce(),
                        InetAddress.getLoopbackAddress()),
                received,
                failures::add);
    }

    private static SideConfig side(
            Point point,
            Transport transport,
            long leadOut,
            Path file,
            @Nullable ReceiverCapture replies,
            @Nullable ReceiverCapture bytes,
            Map<String, String> announced,
            @Nullable InetAddress replyTo) {
        return new SideConfig(
                point,
                transport,
                point.settings(),
                TAG,
                leadOut,
                SocketApi.SYSTEM_CALLS,
                "127.0.0.1",
                null,
                LocalEnd.ANY,
                file,
                replies,
                bytes,
                announced,
                replyTo,
                Set.of(InetAddress.getLoopbackAddress()));
    }

    /** Opens another receiver of a run with replies, to which a sender on this host has announced this. */
    ReceiveEngine openReceiver(ReceiverCapture capture, Map<String, String> announced)
            throws IOException, LagbenchException {
        return engine.openReceiver(
                side(point, transport, 0, receivedFile, null, null, announced, InetAddress.getLoopbackAddress()),
                capture,
                failures::add);
    }

    /** Opens a run of other traffic than one-way. */
    static InterfaceRun of(
            TrafficSpec traffic,
            Path directory,
            String engine,
            String transport,
            Map<String, String> settings,
            int packetBytes,
            int packets)
            throws Exception {
        PacketEngine found = engine(engine);
        Transport over = transport(transport);
        return new InterfaceRun(
                directory,
                found,
                over,
                settings(found, over, settings),
                traffic,
                packetBytes,
                packets,
                5,
                traffic.kind() == Traffic.ROUND_TRIP ? 3 : 0,
                PACE);
    }

    /** Opens a run of an engine that this machine has. */
    static InterfaceRun open(
            Path directory,
            String engine,
            String transport,
            Map<String, String> settings,
            int packetBytes,
            int packets,
            int warmUp,
            int leadOut)
            throws Exception {
        return open(directory, engine, transport, settings, packetBytes, packets, warmUp, leadOut, PACE);
    }

    /** Opens a run of which both sides know the pace. */
    static InterfaceRun open(
            Path directory,
            String engine,
            String transport,
            Map<String, String> settings,
            int packetBytes,
            int packets,
            int warmUp,
            int leadOut,
            Pace pace)
            throws Exception {
        PacketEngine found = engine(engine);
        Transport over = transport(transport);
        return new InterfaceRun(
                directory,
                found,
                over,
                settings(found, over, settings),
                TrafficSpec.ONE_WAY,
                packetBytes,
                packets,
                warmUp,
                leadOut,
                pace);
    }

    /** Skips a test if this machine does not have the engine's library. */
    static void assumeAvailable(String engine, String transport) throws LagbenchException {
        assumeTrue(engine(engine).unavailableReason(transport(transport)) == null, "this machine has no " + engine);
    }

    static Settings settings(PacketEngine engine, Transport transport, Map<String, String> given) {
        return Settings.of(engine.settingsOver(transport), given);
    }

    static PacketEngine engine(String name) throws LagbenchException {
        return PacketEngine.of(Engines.load().named(name));
    }

    static Transport transport(String name) throws LagbenchException {
        return Transports.load().named(name);
    }

    int port() {
        return Integer.parseInt(receiver.announce().getOrDefault("port", ""));
    }

    InterfaceRun connect() throws LagbenchException {
        receiver.start();
        sender.connect(receiver.announce());
        return this;
    }

    @Override
    public void close() throws IOException {
        sender.close();
        receiver.close();
        sent.close();
        received.close();
        if (replies != null) {
            replies.close();
        }
        if (bytes != null) {
            bytes.close();
        }
    }
}

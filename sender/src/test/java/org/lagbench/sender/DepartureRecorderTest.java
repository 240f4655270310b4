package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.DepartureFacts;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.PacketLayout;

/** Records the departures of packets that this test sends. */
class DepartureRecorderTest {
    private static final int PACKETS = 50;
    private static final int WARM_UP = 3;
    private static final int LEAD_OUT = 2;
    private static final int PACKET_BYTES = 24;
    private static final int MARK_OFFSET = 25;
    private static final long TAG = 0x1234_5678_9abc_def0L;

    /** The number of packets that were asked for, and the pace, of a run with windows. */
    private static final int ASKED = 8_000;

    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000);

    /** Another message of a protocol with frames. */
    private static final byte[] OTHER = new byte[17];

    @TempDir
    Path directory;

    /** By the packet's number. */
    private final Map<Long, Long> sentNs = new HashMap<>();

    private final Map<Long, Long> receivedNs = new HashMap<>();

    private static Point point(String engine, Wire wire, @Nullable ObservedSource source, int packets, Pace pace) {
        return point(engine, Transports.load().plain(wire).name(), source, packets, pace);
    }

    private static Point point(
            String engine, String transport, @Nullable ObservedSource source, int packets, Pace pace) {
        return new Point(
                transport,
                PACKET_BYTES,
                packets,
                WARM_UP,
                pace,
                TrafficSpec.ONE_WAY,
                new Settings(Map.of()),
                new EngineSpec(engine, JvmOptions.NONE),
                source == null ? Set.of() : Set.of(source),
                RunConditions.DEFAULT);
    }

    private static DepartureRecorder open(String engine, Wire wire, @Nullable ObservedSource source, int packets)
            throws Exception {
        return open(point(engine, wire, source, packets, Pace.flood()), wire);
    }

    private static DepartureRecorder open(Point point, Wire wire) throws Exception {
        return open(point, Transports.load().plain(wire).name());
    }

    private static DepartureRecorder open(Point point, String transportName) throws Exception {
        Transport transport = Transports.load().named(transportName);
        return new DepartureRecorder(
                point, transport, Engines.load().named(point.program().engine()), LEAD_OUT);
    }

    /** Starts a recorder; skips the test if this kernel refuses its observer. */
    private static void start(DepartureRecorder recorder, int port) {
        recorder.start(Integer.toString(port), TAG, null);
        assumeTrue(SideFacts.entries(recorder.metadata()).isEmpty(), recorder.metadata()::toString);
    }

    /** Sends and receives packets one after the other, the first of them with a number. */
    private void move(Socket sender, Socket receiver, long first, long count) throws Exception {
        for (long packet = first; packet < first + count; packet++) {
            sentNs.put(packet, RealtimeClock.nowNs());
            sender.getOutputStream().write(new byte[PACKET_BYTES]);
            assertThat(receiver.getInputStream().readNBytes(PACKET_BYTES)).hasSize(PACKET_BYTES);
            receivedNs.put(packet, RealtimeClock.nowNs());
        }
    }

    /** Checks that packets left between their calls. Returns their numbers. */
    private Set<Long> written() throws Exception {
        Set<Long> packets = new TreeSet<>();
        try (CaptureReader capture = CaptureReader.open(directory.resolve(DeparturesCapture.FILE_NAME))) {
            for (long i = 0; i < capture.records(); i++) {
                long packet = capture.value(i, 0);
                assertThat(capture.value(i, 1)).isBetween(sentNs.get(packet), receivedNs.get(packet));
                assertThat(packets.add(packet)).isTrue();
            }
        }
        return packets;
    }

    @ParameterizedTest
    @CsvSource({"java, 127.0.0.1", "java-nio, ::1", "c, 127.0.0.1", "java-socket, 127.0.0.1", "netty, ::1"})
    void stampsEachPacketOfAStream(String engine, String host) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName(host));
                DepartureRecorder recorder = open(engine, Wire.TCP, ObservedSource.EVENTS, PACKETS)) {
            start(recorder, listening.getLocalPort());
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                recorder.connected();
                move(sender, receiver, -WARM_UP, WARM_UP + PACKETS + LEAD_OUT);
                recorder.writeTo(directory);
            }
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("departureStamps", DepartureFacts.OBSERVER)
                    .containsEntry("packetsWithoutDepartureStamp", 0L)
                    .containsEntry("departuresLost", 0L);
            assertThat(written()).hasSize(PACKETS).contains(0L, PACKETS - 1L);
        }
    }

    @ParameterizedTest
    @CsvSource({"c, 127.0.0.1", "java-nio, ::1", "netty, 127.0.0.1"})
    void stampsAStreamInWindowsOnly(String engine, String host) throws Exception {
        Point point = point(engine, Wire.TCP, ObservedSource.AUTO, ASKED, PACE);
        long first = ObservedWindows.of(point).firstPacket(1);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName(host));
                DepartureRecorder recorder = open(point, Wire.TCP)) {
            start(recorder, listening.getLocalPort());
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                recorder.connected();
                move(sender, receiver, -WARM_UP, WARM_UP + first);
                recorder.arm();
                move(sender, receiver, first, PACKETS);
                recorder.disarm();
                move(sender, receiver, first + PACKETS, PACKETS);
                recorder.arm();
                move(sender, receiver, first + 2 * PACKETS, 1);
                recorder.disarm();
                recorder.writeTo(directory);
            }
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("departureStamps", DepartureFacts.OBSERVER)
                    .doesNotContainKey("packetsWithoutDepartureStamp");
            assertThat(written()).hasSize(PACKETS + 1).contains(first, first + PACKETS - 1, first + 2 * PACKETS);
        }
    }

    /**
     * A protocol sends other messages between the packets; nothing follows the last one, so that its end is not known.
     */
    @ParameterizedTest
    @CsvSource({"grpc, AUTO", "rmi, AUTO", "onc-rpc, EVENTS"})
    void stampsPacketsInFrames(String engine, ObservedSource source) throws Exception {
        Framing framing = Objects.requireNonNull(Engines.load().named(engine).framing(new Settings(Map.of())));
        byte[] frame = new byte[(int) framing.frameBytes(PACKET_BYTES)];
        Point point = source == ObservedSource.AUTO
                ? point(engine, Wire.TCP, source, ASKED, PACE)
                : point(engine, Wire.TCP, source, PACKETS, Pace.flood());
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DepartureRecorder recorder = open(point, Wire.TCP)) {
            start(recorder, listening.getLocalPort());
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                recorder.connected();
                for (long packet = -WARM_UP; packet < PACKETS; packet++) {
                    if (packet == 0 && point.hasWindows()) {
                        recorder.arm();
                    }
                    PacketLayout.putIdentity(ByteBuffer.wrap(frame), framing.headerBytes(), TAG, packet);
                    sentNs.put(packet, RealtimeClock.nowNs());
                    sender.getOutputStream().write(frame);
                    assertThat(receiver.getInputStream().readNBytes(frame.length))
                            .hasSize(frame.length);
                    receivedNs.put(packet, RealtimeClock.nowNs());
                    if (packet % 5 == 0) {
                        sender.getOutputStream().write(OTHER);
                        assertThat(receiver.getInputStream().readNBytes(OTHER.length))
                                .hasSize(OTHER.length);
                    }
                }
                recorder.writeTo(directory);
            }
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("departureStamps", DepartureFacts.OBSERVER)
                    .containsEntry("departuresLost", 0L);
            assertThat(written()).hasSizeGreaterThan(PACKETS / 2).contains(1L).doesNotContain(PACKETS - 1L);
        }
    }

    @ParameterizedTest
    @CsvSource({"c, udp", "java, udp", "java-nio, udp", "netty, udp", "aeron, udp", "libsrt, srt"})
    void stampsEachDatagram(String engine, String transportName) throws Exception {
        Engine found = Engines.load().named(engine);
        Settings settings = Settings.of(found.settingsOver(Transports.load().named(transportName)), Map.of());
        Framing framing = Objects.requireNonNull(found.framing(settings));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ByteBuffer datagram = ByteBuffer.allocate((int) framing.frameBytes(PACKET_BYTES));
        try (DatagramChannel receiver = DatagramChannel.open().bind(any);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress());
                DepartureRecorder recorder = open(
                        point(engine, transportName, ObservedSource.EVENTS, PACKETS, Pace.flood()), transportName)) {
            start(recorder, receiver.socket().getLocalPort());
            recorder.connected();
            for (long packet = -WARM_UP; packet < PACKETS; packet++) {
                sentNs.put(packet, RealtimeClock.nowNs());
                for (int copy = 0; copy < 2; copy++) { // the first one counts
                    PacketLayout.putIdentity(datagram.clear(), framing.headerBytes(), TAG, packet);
                    sender.write(datagram);
                    receiver.receive(datagram.clear());
                    receivedNs.putIfAbsent(packet, RealtimeClock.nowNs());
                }
            }
            recorder.writeTo(directory);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("departureStamps", DepartureFacts.OBSERVER)
                    .containsEntry("packetsWithoutDepartureStamp", 0L);
            assertThat(written()).hasSize(PACKETS);
        }
    }

    /** A datagram that is missing may be that of any packet. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1})
    void stampsMarkedDatagramsIfEachPacketHasOne(long more) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        DatagramMarks written = new DatagramMarks(MARK_OFFSET);
        ByteBuffer datagram = ByteBuffer.allocate(PACKET_BYTES + 17);
        try (DatagramChannel receiver = DatagramChannel.open().bind(any);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress());
                DepartureRecorder recorder = open("quic", Wire.UDP, ObservedSource.EVENTS, PACKETS)) {
            recorder.start(Integer.toString(receiver.socket().getLocalPort()), TAG, written);
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            recorder.connected();
            for (long packet = -WARM_UP; packet < PACKETS + LEAD_OUT + more; packet++) {
                int mark = (int) packet;
                written.add(mark);
                sentNs.put(packet, RealtimeClock.nowNs());
                sender.write(datagram.clear().putInt(MARK_OFFSET, mark));
                receiver.receive(datagram.clear());
                receivedNs.put(packet, RealtimeClock.nowNs());
            }
            recorder.writeTo(directory);
            if (more == 0) {
                assertThat(written()).hasSize(PACKETS);
            } else {
                assertThat(SideFacts.entries(recorder.metadata()))
                        .containsEntry(
                                "departureStamps",
                                "none: The engine wrote " + (55 + more) + " datagrams for 55 packets.");
                assertThat(directory).isEmptyDirectory();
            }
        }
    }

    /** The stream carries other bytes than the packets, or fewer. */
    @ParameterizedTest
    @ValueSource(longs = {-LEAD_OUT - 1, 1})
    void stampsNoStreamOfOtherBytes(long more) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DepartureRecorder recorder = open("netty", Wire.TCP, ObservedSource.EVENTS, PACKETS)) {
            start(recorder, listening.getLocalPort());
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                move(sender, receiver, -WARM_UP, WARM_UP + PACKETS + LEAD_OUT + more);
            }
            recorder.writeTo(directory);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .hasEntrySatisfying("departureStamps", source -> assertThat(source.toString())
                            .startsWith("none: The stream has "));
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void stampsNoStreamWithAnotherConnection() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                DepartureRecorder recorder = open("c", Wire.TCP, ObservedSource.EVENTS, PACKETS)) {
            start(recorder, listening.getLocalPort());
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                move(sender, receiver, -WARM_UP, WARM_UP);
                try (Socket other = new Socket(listening.getInetAddress(), listening.getLocalPort());
                        Socket ofOther = listening.accept()) {
                    move(other, ofOther, 0, 1);
                }
                move(sender, receiver, 0, PACKETS);
            }
            recorder.writeTo(directory);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .hasEntrySatisfying("departureStamps", source -> assertThat(source.toString())
                            .endsWith(" segments to this port came from other connections."));
        }
    }

    @Test
    void saysWhatItDidNotSee() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket receiver = listening.accept();
                DepartureRecorder stream = open("c", Wire.TCP, ObservedSource.EVENTS, PACKETS);
                DepartureRecorder datagrams = open("c", Wire.UDP, ObservedSource.EVENTS, PACKETS)) {
            start(stream, listening.getLocalPort());
            start(datagrams, listening.getLocalPort());
            move(sender, receiver, 0, PACKETS);
            stream.writeTo(directory);
            datagrams.writeTo(directory);
            assertThat(SideFacts.entries(stream.metadata()))
                    .containsEntry("departureStamps", "none: The observer did not see how the connection began.");
            assertThat(SideFacts.entries(datagrams.metadata()))
                    .containsEntry("departureStamps", "none: The observer found no packet in what left this host.");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void recordsNothingThatItCannotMatch() throws Exception {
        for (DepartureRecorder recorder : new DepartureRecorder[] {
            open("java", Wire.TCP, null, PACKETS),
            open("c", Wire.UDP, ObservedSource.TIMESTAMPING, PACKETS),
            open("quic", Wire.UDP, ObservedSource.EVENTS, PACKETS)
        }) {
            recorder.start("4711", TAG, null);
            recorder.connected();
            recorder.writeTo(directory);
            assertThat(SideFacts.entries(recorder.metadata())).isEmpty();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusesPortsAndMemoryThatThereAreNot() throws Exception {
        for (String port : new String[] {null, "none"}) {
            DepartureRecorder recorder = open("c", Wire.UDP, ObservedSource.EVENTS, PACKETS);
            recorder.start(port, TAG, null);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("departureStamps", "none: The receiver announces no port.");
        }
        DepartureRecorder large = open("java-nio", Wire.TCP, ObservedSource.EVENTS, 100_000_000);
        large.start("4711", TAG, null);
        assertThat(SideFacts.entries(large.metadata()))
                .containsEntry(
                        "departureStamps", "none: A run with so many packets takes too much of the kernel's memory.");
    }
}

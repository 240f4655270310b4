package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.ArrivalFacts;
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
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketLayout;

/** Records the arrivals of packets that this test sends. */
class ArrivalRecorderTest {
    private static final int PACKETS = 50;
    private static final int WARM_UP = 3;
    private static final int PACKET_BYTES = 24;
    private static final long TAG = 0x1234_5678_9abc_def0L;
    private static final String WITHOUT_STAMP = "packetsWithoutKernelStamp";
    private static final String STAMPS = "kernelStamps";

    /** The number of packets that were asked for, and the pace, of a run with windows. */
    private static final int ASKED = 8_000;

    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000);

    /** The stamp that an engine has written. */
    private static final long OF_ENGINE = 7;

    private static final Settings SETTINGS = new Settings(Map.of());

    @TempDir
    Path directory;

    private final long[] sentNs = new long[PACKETS];
    private final long[] receivedNs = new long[PACKETS];

    private static ArrivalRecorder open(String engineName, Wire wire, @Nullable ObservedSource source, int packets)
            throws Exception {
        return open(engineName, wire, source, packets, Pace.flood());
    }

    private static ArrivalRecorder open(
            String engineName, Wire wire, @Nullable ObservedSource source, int packets, Pace pace) throws Exception {
        Transport transport = Transports.load().plain(wire);
        Engine engine = Engines.load().named(engineName);
        Point point = point(engineName, wire, source, packets, pace);
        return new ArrivalRecorder(point, transport, engine, WARM_UP + packets);
    }

    private static Point point(String engineName, Wire wire, @Nullable ObservedSource source, int packets, Pace pace) {
        return new Point(
                Transports.load().plain(wire).name(),
                PACKET_BYTES,
                packets,
                WARM_UP,
                pace,
                TrafficSpec.ONE_WAY,
                SETTINGS,
                new EngineSpec(engineName, JvmOptions.NONE),
                source == null ? Set.of() : Set.of(source),
                RunConditions.DEFAULT);
    }

    /** Opens a recorder; skips the test if this kernel refuses its observer. */
    private static ArrivalRecorder openOrSkip(String engine, Wire wire) throws Exception {
        ArrivalRecorder recorder = open(engine, wire, ObservedSource.EVENTS, PACKETS);
        assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
        return recorder;
    }

    /** Moves all packets, and then further bytes. Returns the capture of an engine. */
    private Path move(ArrivalRecorder recorder, int furtherBytes) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            recorder.start(Integer.toString(listening.getLocalPort()), TAG, null);
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                InputStream input = receiver.getInputStream();
                for (int packet = -WARM_UP; packet < PACKETS; packet++) {
                    long beforeNs = RealtimeClock.nowNs();
                    sender.getOutputStream().write(new byte[PACKET_BYTES]);
                    assertThat(input.readNBytes(PACKET_BYTES)).hasSize(PACKET_BYTES);
                    if (packet >= 0) {
                        sentNs[packet] = beforeNs;
                        receivedNs[packet] = RealtimeClock.nowNs();
                    }
                }
                sender.getOutputStream().write(new byte[furtherBytes]);
                assertThat(input.readNBytes(furtherBytes)).hasSize(furtherBytes);
            }
        }
        recorder.disarm();
        return capture();
    }

    /** Sends all packets in datagrams of an engine. Returns the capture of the engine. */
    private Path moveDatagrams(ArrivalRecorder recorder, String host, Framing framing, IntConsumer beforePacket)
            throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(host), 0);
        ByteBuffer datagram = ByteBuffer.allocate((int) framing.frameBytes(PACKET_BYTES));
        try (DatagramChannel receiver = DatagramChannel.open().bind(any);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress())) {
            recorder.start(Integer.toString(receiver.socket().getLocalPort()), TAG, null);
            for (int packet = -WARM_UP; packet < PACKETS; packet++) {
                beforePacket.accept(packet);
                long beforeNs = RealtimeClock.nowNs();
                PacketLayout.putIdentity(datagram.clear(), framing.headerBytes(), TAG, packet);
                sender.write(datagram);
                receiver.receive(datagram.clear());
                if (packet >= 0) {
                    sentNs[packet] = beforeNs;
                    receivedNs[packet] = RealtimeClock.nowNs();
                }
            }
        }
        recorder.disarm();
        return capture();
    }

    /** Sends packets that need no stamps, and receives them. */
    private static void pass(Socket sender, Socket receiver, long packets) throws Exception {
        for (long left = packets; left > 0; left -= PACKETS) {
            int bytes = (int) Math.min(left, PACKETS) * PACKET_BYTES;
            sender.getOutputStream().write(new byte[bytes]);
            assertThat(receiver.getInputStream().readNBytes(bytes)).hasSize(bytes);
        }
    }

    /** Sends all packets of a run with windows, and arms the recorder for some. Returns the capture of these. */
    private Path moveInWindows(ArrivalRecorder recorder, ObservedWindows windows, String host) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            recorder.start(Integer.toString(listening.getLocalPort()), TAG, null);
            try (Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket receiver = listening.accept()) {
                long first = windows.firstPacket(1);
                pass(sender, receiver, WARM_UP + first);
                for (int packet = 0; packet < PACKETS; packet++) {
                    if (packet == 1) {
                        recorder.arm();
                    } else if (packet == PACKETS / 2) {
                        recorder.disarm();
                    } else if (packet == PACKETS - 2) {
                        recorder.arm();
                    }
                    sentNs[packet] = RealtimeClock.nowNs();
                    pass(sender, receiver, 1);
                    receivedNs[packet] = RealtimeClock.nowNs();
                }
                pass(sender, receiver, 1);
                recorder.disarm();
                pass(sender, receiver, windows.firstPacket(windows.count()) - first - PACKETS - 1);
                recorder.disarm();
                return capture(first);
            }
        }
    }

    private Path capture() throws Exception {
        return capture(0);
    }

    private Path capture(long first) throws Exception {
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(file, PACKETS, ReceiverCapture.KERNEL_FIELDS)) {
            for (int packet = 0; packet < PACKETS; packet++) {
                capture.append(first + packet, receivedNs[packet], OF_ENGINE);
            }
        }
        return file;
    }

    private static ReceivedCounts counts(int received) {
        return new ReceivedCounts(received, received, 0, 0, 0, 0, WARM_UP, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c", "java-socket"})
    void stampsPacketsOfAnyEngine(String engine) throws Exception {
        try (ArrivalRecorder recorder = openOrSkip(engine, Wire.TCP)) {
            Path file = move(recorder, 0);
            recorder.writeTo(file, counts(PACKETS));
            long stamped = checkStamps(recorder, file);
            assertThat(SideFacts.entries(recorder.metadata())).containsEntry(WITHOUT_STAMP, PACKETS - stamped);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java-nio, 127.0.0.1",
        "java-nio, ::1",
        "netty, 127.0.0.1",
        "netty, ::1",
        "aeron, 127.0.0.1",
        "aeron, ::1"
    })
    void stampsDatagramsOfAnyEngine(String engine, String host) throws Exception {
        Framing framing = Objects.requireNonNull(Engines.load().named(engine).framing(SETTINGS));
        try (ArrivalRecorder recorder = openOrSkip(engine, Wire.UDP)) {
            Path file = moveDatagrams(recorder, host, framing, packet -> {});
            recorder.writeTo(file, counts(PACKETS));
            assertThat(checkStamps(recorder, file)).isEqualTo(PACKETS);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry(WITHOUT_STAMP, 0L)
                    .containsEntry("arrivalsLost", 0L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grpc", "rmi", "onc-rpc"})
    void stampsPacketsInFramesOfAnyEngine(String engine) throws Exception {
        Framing framing = Objects.requireNonNull(Engines.load().named(engine).framing(SETTINGS));
        try (ArrivalRecorder recorder = openOrSkip(engine, Wire.TCP)) {
            Path file = moveFrames(recorder, framing);
            recorder.writeTo(file, counts(PACKETS));
            assertThat(checkStamps(recorder, file)).isBetween(1L, PACKETS - 1L); // the last one has no known end
        }
    }

    /** Sends all packets in frames, and receives them, after another connection has sent something. */
    private Path moveFrames(ArrivalRecorder recorder, Framing framing) throws Exception {
        ByteBuffer frame = ByteBuffer.allocate((int) framing.frameBytes(PACKET_BYTES));
        try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            recorder.start(Integer.toString(listening.getLocalPort()), TAG, null);
            try (Socket other = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket sender = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket otherReceiver = listening.accept();
                    Socket receiver = listening.accept()) {
                other.getOutputStream().write(frame.array());
                assertThat(otherReceiver.getInputStream().readNBytes(frame.capacity()))
                        .hasSize(frame.capacity());
                for (int packet = -WARM_UP; packet < PACKETS; packet++) {
                    PacketLayout.putIdentity(frame, framing.headerBytes(), TAG, packet);
                    long beforeNs = RealtimeClock.nowNs();
                    sender.getOutputStream().write(frame.array());
                    assertThat(receiver.getInputStream().readNBytes(frame.capacity()))
                            .hasSize(frame.capacity());
                    if (packet >= 0) {
                        sentNs[packet] = beforeNs;
                        receivedNs[packet] = RealtimeClock.nowNs();
                    }
                }
            }
        }
        recorder.disarm();
        return capture();
    }

    /** The socket stamps nothing in a run with windows, so the engine does not matter. */
    @ParameterizedTest
    @ValueSource(strings = {"c", "java-nio"})
    void stampsDatagramsOfWindowsOnly(String engine) throws Exception {
        Framing framing = Objects.requireNonNull(Engines.load().named(engine).framing(SETTINGS));
        try (ArrivalRecorder recorder = open(engine, Wire.UDP, ObservedSource.AUTO, ASKED, PACE)) {
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            Path file = moveDatagrams(recorder, "127.0.0.1", framing, packet -> {
                if (packet == PACKETS / 2) {
                    recorder.arm();
                } else if (packet == PACKETS - 1) {
                    recorder.disarm();
                }
            });
            recorder.writeTo(file, counts(PACKETS));
            assertThat(checkStamps(recorder, file)).isEqualTo(PACKETS - 1 - PACKETS / 2);
            assertThat(SideFacts.entries(recorder.metadata())).doesNotContainKey(WITHOUT_STAMP);
            try (CaptureReader capture = CaptureReader.open(file)) {
                assertThat(capture.value(PACKETS / 2 - 1, 2)).isZero();
                assertThat(capture.value(PACKETS / 2, 2)).isNotZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"c, 127.0.0.1", "java-nio, ::1", "netty, 127.0.0.1"})
    void stampsStreamsOfWindowsOnly(String engine, String host) throws Exception {
        try (ArrivalRecorder recorder = open(engine, Wire.TCP, ObservedSource.AUTO, ASKED, PACE)) {
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            ObservedWindows windows = ObservedWindows.of(point(engine, Wire.TCP, ObservedSource.AUTO, ASKED, PACE));
            Path file = moveInWindows(recorder, windows, host);
            recorder.writeTo(file, counts((int) windows.firstPacket(windows.count())));
            assertThat(checkStamps(recorder, file)).isBetween(1L, PACKETS / 2 - 1 + 2L);
            assertThat(SideFacts.entries(recorder.metadata())).doesNotContainKey(WITHOUT_STAMP);
            try (CaptureReader capture = CaptureReader.open(file)) {
                assertThat(capture.value(0, 2)).isZero();
                assertThat(capture.value(PACKETS / 2, 2)).isZero();
            }
        }
    }

    @Test
    void stampsNoStreamWithMissingPackets() throws Exception {
        try (ArrivalRecorder recorder = open("c", Wire.TCP, ObservedSource.AUTO, ASKED, PACE)) {
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            ObservedWindows windows = ObservedWindows.of(point("c", Wire.TCP, ObservedSource.AUTO, ASKED, PACE));
            Path file = moveInWindows(recorder, windows, "127.0.0.1");
            recorder.writeTo(file, counts((int) windows.firstPacket(windows.count()) - 1));
            assertThat(SideFacts.entries(recorder.metadata()))
                    .hasEntrySatisfying(STAMPS, source -> assertThat(source.toString())
                            .startsWith("none: The stream has other bytes than the packets, or 1 of them"));
        }
    }

    @Test
    void saysThatThePlaceInTheStreamIsUnknown() throws Exception {
        try (ArrivalRecorder recorder = open("c", Wire.TCP, ObservedSource.AUTO, ASKED, PACE);
                ServerSocket idle = new ServerSocket(0)) {
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            recorder.start(Integer.toString(idle.getLocalPort()), TAG, null);
            recorder.arm();
            recorder.disarm();
            recorder.writeTo(capture(), counts(PACKETS));
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry(STAMPS, "none: The observer did not find its place in the stream.");
        }
    }

    @Test
    void saysThatNoWindowWasObserved() throws Exception {
        try (ArrivalRecorder recorder = open("c", Wire.UDP, ObservedSource.AUTO, ASKED, PACE)) {
            assumeTrue(recorder.isOpen(), recorder.metadata()::toString);
            recorder.start("5394", TAG, null);
            recorder.disarm();
            recorder.writeTo(capture(), counts(PACKETS));
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry(STAMPS, "none: The receiver observed no window.");
        }
    }

    /** Checks that packets arrived between their calls. Returns how many have a stamp. */
    private long checkStamps(ArrivalRecorder recorder, Path file) throws Exception {
        assertThat(SideFacts.entries(recorder.metadata())).containsEntry(STAMPS, ArrivalFacts.OBSERVER);
        long stamped = 0;
        try (CaptureReader capture = CaptureReader.open(file)) {
            for (int packet = 0; packet < PACKETS; packet++) {
                long kernelNs = capture.value(packet, 2);
                if (kernelNs != 0) {
                    assertThat(kernelNs).isBetween(sentNs[packet], receivedNs[packet]);
                    stamped++;
                }
            }
        }
        return stamped;
    }

    /** The stream carries other bytes than the packets, or fewer than were received. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keepsTheEnginesStampsIfBytesDoNotMatch(boolean hasMore) throws Exception {
        try (ArrivalRecorder recorder = openOrSkip("java", Wire.TCP)) {
            Path file = move(recorder, hasMore ? 1 : 0);
            recorder.writeTo(file, counts(hasMore ? PACKETS : PACKETS + 1));
            assertThat(SideFacts.entries(recorder.metadata()))
                    .hasEntrySatisfying(STAMPS, source -> assertThat(source.toString())
                            .startsWith("the socket's, which packets of one read share: The observer saw"));
            try (CaptureReader capture = CaptureReader.open(file)) {
                assertThat(capture.value(0, 2)).isEqualTo(OF_ENGINE);
            }
        }
    }

    @Test
    void stampsNoDatagramsIfFirstCopiesMayBeLost() throws Exception {
        int copies = 2_000; // more than the record's capacity
        ByteBuffer datagram = ByteBuffer.allocate(PACKET_BYTES);
        try (ArrivalRecorder recorder = openOrSkip("java-nio", Wire.UDP);
                DatagramChannel receiver =
                        DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress())) {
            recorder.start(Integer.toString(receiver.socket().getLocalPort()), TAG, null);
            for (int copy = 0; copy < copies; copy++) {
                PacketLayout.putIdentity(datagram.clear(), 0, TAG, 0);
                sender.write(datagram);
                receiver.receive(datagram.clear());
            }
            recorder.disarm();
            recorder.writeTo(capture(), new ReceivedCounts(copies, 1, copies - 1, 0, 0, 0, 0, 0, 0));
            assertThat(SideFacts.entries(recorder.metadata()))
                    .hasEntrySatisfying(
                            "arrivalsLost", lost -> assertThat((long) lost).isPositive())
                    .hasEntrySatisfying(
                            STAMPS, source -> assertThat(source.toString()).startsWith("none: The observer lost"));
        }
    }

    @Test
    void recordsNothingThatItCannotMatch() throws Exception {
        for (ArrivalRecorder recorder : new ArrivalRecorder[] {
            open("java", Wire.TCP, null, PACKETS), open("java", Wire.UDP, ObservedSource.EVENTS, PACKETS)
        }) {
            assertThat(recorder.isOpen()).isFalse();
            assertThat(SideFacts.entries(recorder.metadata())).isEmpty();
        }
    }

    @Test
    void takesLimitedMemory() throws Exception {
        try (ArrivalRecorder recorder = open("java-nio", Wire.TCP, ObservedSource.EVENTS, 100_000_000)) {
            assertThat(recorder.isOpen()).isFalse();
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry(STAMPS, "none: A run with so many packets takes too much of the kernel's memory.");
        }
    }
}

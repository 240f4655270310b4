package org.lagbench.receiver;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.linux.DropReasons;
import org.lagbench.packetio.transport.PacketLayout;

/** Records drops of packets that this test sends into a full buffer. */
class DropRecorderTest {
    private static final int PACKETS = 100;
    private static final int WARM_UP = 20;
    private static final int PACKET_BYTES = 200;
    private static final long TAG = 0x1234_5678_9abc_def0L;

    private static final Settings SETTINGS = new Settings(Map.of());

    @TempDir
    Path directory;

    private static DropRecorder open(String engineName, Wire wire, Set<ObservedSource> observe) throws Exception {
        Transport transport = Transports.load().plain(wire);
        Engine engine = Engines.load().named(engineName);
        Point point = new Point(
                transport.name(),
                PACKET_BYTES,
                PACKETS,
                WARM_UP,
                Pace.flood(),
                TrafficSpec.ONE_WAY,
                SETTINGS,
                new EngineSpec(engineName, JvmOptions.NONE),
                observe,
                RunConditions.DEFAULT);
        return new DropRecorder(point, transport, engine, WARM_UP + PACKETS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "java", "aeron"})
    void writesThePacketsThatWereNotReceived(String engine) throws Exception {
        Framing framing = Objects.requireNonNull(Engines.load().named(engine).framing(SETTINGS));
        ByteBuffer datagram = ByteBuffer.allocate((int) framing.frameBytes(PACKET_BYTES));
        Set<Long> missing = new TreeSet<>();
        try (DropRecorder recorder = open(engine, Wire.UDP, Set.of(ObservedSource.EVENTS));
                DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET)
                        .setOption(StandardSocketOptions.SO_RCVBUF, 8_192)
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress())) {
            assumeTrue(SideFacts.entries(recorder.metadata()).isEmpty(), recorder.metadata()::toString);
            receiver.configureBlocking(false);
            recorder.start(Integer.toString(receiver.socket().getLocalPort()), TAG, null);
            for (long packet = -WARM_UP; packet < PACKETS; packet++) {
                PacketLayout.putIdentity(datagram.clear(), framing.headerBytes(), TAG, packet);
                sender.write(datagram);
                missing.add(packet);
            }
            sender.write(datagram.rewind()); // a copy of the last packet
            int port = receiver.socket().getLocalPort();
            await().atMost(60, SECONDS).until(() -> {
                while (receiver.receive(datagram.clear()) != null) {
                    missing.remove(PacketLayout.sequence(datagram, framing.headerBytes()));
                }
                return missing.size() + 1 == countedDrops(port);
            });
            recorder.disarm();
            recorder.writeTo(directory);
            int dropped = missing.size() + 1;
            missing.removeIf(packet -> packet < 0);
            assertThat(missing).isNotEmpty();
            assertThat(written()).isEqualTo(missing);
            assertThat(recorder.recognized()).isEqualTo(DropReasons.ofKernel().isEmpty() ? -1 : dropped);
            assertThat(SideFacts.entries(recorder.metadata()))
                    .containsEntry("dropTimes", DropFacts.OBSERVER)
                    .containsEntry("dropTimesLost", 0L);
            if (!DropReasons.ofKernel().isEmpty()) {
                assertThat(recorder.overflowed().stream().mapToObj(Long::valueOf))
                        .containsExactlyElementsOf(missing);
                assertThat(SideFacts.entries(recorder.metadata()))
                        .extractingByKey("dropReasons", STRING)
                        .matches("[0-9]+ SOCKET_RCVBUFF");
            }
        }
    }

    /** Returns the kernel's count of the datagrams that a socket did not get. */
    private static long countedDrops(int port) throws Exception {
        String local = String.format(" *[0-9]+: [0-9A-F]+:%04X .*", port);
        return Files.readAllLines(Path.of("/proc/net/udp")).stream()
                .filter(line -> line.matches(local))
                .mapToLong(line -> Long.parseLong(line.strip().replaceAll(".* ", "")))
                .findFirst()
                .orElseThrow();
    }

    private Set<Long> written() throws Exception {
        Set<Long> packets = new TreeSet<>();
        try (CaptureReader capture = CaptureReader.open(directory.resolve(DropsCapture.FILE_NAME))) {
            for (long i = 0; i < capture.records(); i++) {
                packets.add(capture.value(i, 0));
            }
        }
        return packets;
    }

    @Test
    void recordsNothingOfOtherRuns() throws Exception {
        for (DropRecorder recorder : new DropRecorder[] {
            open("c", Wire.UDP, Set.of()),
            open("c", Wire.TCP, Set.of(ObservedSource.EVENTS)),
            open("rmi", Wire.TCP, Set.of(ObservedSource.EVENTS))
        }) {
            recorder.start("4711", TAG, null);
            recorder.disarm();
            recorder.writeTo(directory);
            assertThat(SideFacts.entries(recorder.metadata())).isEmpty();
            assertThat(Files.exists(directory.resolve(DropsCapture.FILE_NAME))).isFalse();
        }
    }
}

package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.socket.FrameArrivals;
import org.lagbench.packetio.socket.PacketArrivals;

/** The observer finds each packet of an engine where the engine's framing says. */
class FramingTest {
    private static final int PACKETS = 40;
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);

    @TempDir
    private Path directory;

    static LinuxPacketRecord loadOrSkip(LinuxPacketRecord.Kind kind) {
        try {
            return LinuxPacketRecord.load(kind, 1 << 16);
        } catch (LagbenchException e) {
            assumeTrue(false, e.sentence());
            throw new IllegalStateException(e);
        }
    }

    private static Framing framing(String name, String transport, Map<String, String> settings) throws Exception {
        PacketEngine engine = InterfaceRun.engine(name);
        return Objects.requireNonNull(
                engine.framing(InterfaceRun.settings(engine, InterfaceRun.transport(transport), settings)));
    }

    /** A packet may arrive twice if this machine stands still, and then has no stamp. */
    @ParameterizedTest
    @CsvSource({
        "grpc, 24",
        "grpc, 992",
        "grpc, 40000",
        "rmi, 24",
        "rmi, 992",
        "rmi, 40000",
        "onc-rpc, 25",
        "onc-rpc, 992",
        "onc-rpc, 70000"
    })
    void isBeforeEachPacketOfAStream(String engine, int packetBytes) throws Exception {
        InterfaceRun.assumeAvailable(engine, "tcp");
        Framing framing = framing(engine, "tcp", Map.of());
        try (LinuxPacketRecord record = loadOrSkip(LinuxPacketRecord.Kind.FRAME_ARRIVALS);
                LinuxPacketRecord left = loadOrSkip(LinuxPacketRecord.Kind.FRAME_DEPARTURES)) {
            InterfaceRun run = InterfaceRun.open(directory, engine, "tcp", Map.of(), packetBytes, PACKETS, 1, 1);
            try (run) {
                run.connect();
                record.startTagged(run.port(), InterfaceRun.TAG, framing.headerBytes());
                left.startTagged(run.port(), InterfaceRun.TAG, framing.headerBytes());
                run.sender.send(-1, 0, PACE);
                for (int packet = 0; packet < PACKETS; packet++) {
                    run.sender.send(packet, packet + 1, PACE);
                    int received = packet + 1;
                    InterfacesTest.eventually()
                            .until(() -> run.receiver.counts().received() == received);
                }
                run.sender.send(PACKETS, PACKETS + 1, PACE);
                run.receiver.drain(10_000);
                record.stop();
            }
            FrameArrivals arrivals = FrameArrivals.of(record, framing, packetBytes, 1, PACKETS);
            assertThat(checkedStamps(run, arrivals)).isGreaterThan(PACKETS / 2);
            FrameArrivals departures = FrameArrivals.of(left, framing, packetBytes, 1, PACKETS);
            assertThat(checkedStamps(run, (packet, receivedNs) -> departures.leftNs(packet)))
                    .isGreaterThan(PACKETS / 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"aeron, udp, '', ''", "libsrt, srt, latency, 50ms", "librist, rist, buffer, 100ms"})
    void isBeforeEachPacketInDatagrams(String engine, String transport, String setting, String value) throws Exception {
        Map<String, String> settings = setting.isEmpty() ? Map.of() : Map.of(setting, value);
        checkDatagrams(engine, transport, settings);
    }

    @Test
    void hasTheNumberOfEachEncryptedPacketOfSrt() throws Exception {
        checkDatagrams("libsrt", "srt", Map.of("latency", "50ms", "encryption", "aes-128"));
    }

    @Test
    void isBeforeEachPacketOfTheSimpleProfile() throws Exception {
        checkDatagrams("librist", "rist", Map.of("buffer", "100ms", "profile", "simple"));
    }

    /**
     * On a busy machine a library gives up packets that are too late, and sends others twice: so the recorded ones are
     * compared with those that were received, by their first arrival.
     */
    private void checkDatagrams(String engine, String transport, Map<String, String> settings) throws Exception {
        InterfaceRun.assumeAvailable(engine, transport);
        Framing framing = framing(engine, transport, settings);
        int packetBytes = 992;
        try (LinuxPacketRecord record = loadOrSkip(LinuxPacketRecord.Kind.ARRIVALS)) {
            InterfaceRun run = InterfaceRun.open(directory, engine, transport, settings, packetBytes, PACKETS, 1, 16);
            try (run) {
                run.connect();
                record.startDatagrams(run.port(), InterfaceRun.TAG, framing, packetBytes);
                run.sender.send(-1, PACKETS + 16, PACE);
                run.receiver.drain(10_000);
                record.stop();
            }
            DatagramArrivals arrivals = DatagramArrivals.of(record, framing, packetBytes, 1, PACKETS);
            checkedStamps(run, arrivals);
            assertThat(checkedStamps(run, (packet, receivedNs) -> arrivals.leftNs(packet)))
                    .isGreaterThan(received(run) / 2);
        }
    }

    private static int received(InterfaceRun run) throws Exception {
        try (CaptureReader received = CaptureReader.open(run.receivedFile)) {
            return Math.toIntExact(received.records());
        }
    }

    /** Returns the number of stamps, which are all between the calls that sent and received the packets. */
    static int checkedStamps(InterfaceRun run, PacketArrivals arrivals) throws Exception {
        int stamps = 0;
        try (CaptureReader sent = CaptureReader.open(run.sentFile);
                CaptureReader received = CaptureReader.open(run.receivedFile)) {
            for (long i = 0; i < received.records(); i++) {
                long packet = received.value(i, received.field("seq"));
                long receivedNs = received.value(i, received.field("received_ns"));
                long arrivedNs = arrivals.arrivedNs(packet, receivedNs);
                if (arrivedNs != PacketArrivals.UNKNOWN) {
                    assertThat(arrivedNs).isBetween(sent.value(packet, sent.field("sent_ns")), receivedNs);
                    stamps++;
                }
            }
        }
        return stamps;
    }

    @Test
    void isUnknownWhereThePayloadIsEncrypted() throws Exception {
        PacketEngine rist = InterfaceRun.engine("librist");
        assertThat(rist.framing(
                        InterfaceRun.settings(rist, InterfaceRun.transport("rist"), Map.of("encryption", "aes-128"))))
                .isNull();
        PacketEngine quic = InterfaceRun.engine("quic");
        assertThat(quic.framing(InterfaceRun.settings(quic, InterfaceRun.transport("udp"), Map.of())))
                .isNull();
    }
}

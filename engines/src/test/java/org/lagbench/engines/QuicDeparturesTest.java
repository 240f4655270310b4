package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.transport.DatagramMarks;

/** The sender of QUIC knows the datagrams that the observer sees. */
class QuicDeparturesTest {
    private static final int PACKETS = 40;

    @TempDir
    private Path directory;

    private InterfaceRun open(String delivery, int packetBytes) throws Exception {
        InterfaceRun.assumeAvailable("quic", "udp");
        return InterfaceRun.open(directory, "quic", "udp", Map.of("delivery", delivery), packetBytes, PACKETS, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {715, 992, 1428})
    void areKnownOfEachDatagram(int packetBytes) throws Exception {
        try (LinuxPacketRecord record = FramingTest.loadOrSkip(LinuxPacketRecord.Kind.DEPARTURES)) {
            InterfaceRun run = open("datagram", packetBytes);
            DatagramMarks written = Objects.requireNonNull(run.sender.datagramMarks());
            try (run) {
                written.arm(PACKETS + 3);
                run.connect();
                record.startMarked(run.port(), written.markOffset());
                run.sender.send(-1, PACKETS + 1, new Pace(Pace.Mode.SLEEP, 1_000_000, 1));
                run.receiver.drain(10_000);
                record.stop();
            }
            assertThat(written.count()).isEqualTo(PACKETS + 2);
            DatagramArrivals departures = DatagramArrivals.ofMarked(record, written, packetBytes, 1, PACKETS);
            assertThat(FramingTest.checkedStamps(run, departures)).isEqualTo(PACKETS);
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 992", "datagram, 714"})
    void areUnknownWhereADatagramMayHaveOtherPackets(String delivery, int packetBytes) throws Exception {
        try (InterfaceRun run = open(delivery, packetBytes)) {
            assertThat(run.sender.datagramMarks()).isNull();
        }
    }
}

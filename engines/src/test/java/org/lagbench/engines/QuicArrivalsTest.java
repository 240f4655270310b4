package org.lagbench.engines;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.socket.MarkedArrivals;
import org.lagbench.packetio.transport.DatagramMarks;

/** The receiver of QUIC and the observer know the same datagrams. */
class QuicArrivalsTest {
    private static final int PACKETS = 40;
    private static final int CAPACITY = 1 << 12;
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"stream, 24", "stream, 992", "stream, 40000", "datagram, 24", "datagram, 1428"})
    void areKnownOfEachPacketWhileArmed(String delivery, int packetBytes) throws Exception {
        InterfaceRun.assumeAvailable("quic", "udp");
        try (LinuxPacketRecord record = FramingTest.loadOrSkip(LinuxPacketRecord.Kind.ARRIVALS)) {
            InterfaceRun run = InterfaceRun.open(
                    directory, "quic", "udp", Map.of("delivery", delivery), packetBytes, PACKETS, 1, 1);
            DatagramMarks reads = Objects.requireNonNull(run.receiver.datagramMarks());
            try (run) {
                run.connect();
                record.startMarked(run.port(), reads.markOffset());
                reads.arm(CAPACITY);
                run.sender.send(-1, PACKETS / 2, PACE);
                await().atMost(30, SECONDS).until(() -> run.receiver.counts().received() == PACKETS / 2);
                reads.disarm();
                run.sender.send(PACKETS / 2, PACKETS + 1, PACE);
                run.receiver.drain(10_000);
                record.stop();
            }
            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS);
            assertThat(record.lost()).isZero();
            MarkedArrivals arrivals = MarkedArrivals.of(record, reads);
            assertThat(FramingTest.checkedStamps(run, arrivals)).isEqualTo(PACKETS / 2);
        }
    }

    /** Netty reads up to 16 datagrams at once. Each brings one packet. */
    @Test
    void differBetweenDatagramsThatAreReadTogether() throws Exception {
        InterfaceRun.assumeAvailable("quic", "udp");
        int packets = 400;
        try (LinuxPacketRecord record = FramingTest.loadOrSkip(LinuxPacketRecord.Kind.ARRIVALS)) {
            InterfaceRun run =
                    InterfaceRun.open(directory, "quic", "udp", Map.of("delivery", "datagram"), 1_400, packets, 0, 0);
            DatagramMarks reads = Objects.requireNonNull(run.receiver.datagramMarks());
            try (run) {
                run.connect();
                record.startMarked(run.port(), reads.markOffset());
                reads.arm(CAPACITY);
                run.sender.send(0, packets, Pace.flood());
                run.receiver.drain(1_000);
                record.stop();
            }
            MarkedArrivals arrivals = MarkedArrivals.of(record, reads);
            int received = (int) run.receiver.counts().received();
            long[] arrivedNs = new long[received];
            try (CaptureReader capture = CaptureReader.open(run.receivedFile)) {
                for (int i = 0; i < received; i++) {
                    arrivedNs[i] = arrivals.arrivedNs(
                            capture.value(i, capture.field("seq")), capture.value(i, capture.field("received_ns")));
                }
            }
            assertThat(arrivedNs).hasSizeGreaterThan(16).doesNotHaveDuplicates();
        }
    }
}

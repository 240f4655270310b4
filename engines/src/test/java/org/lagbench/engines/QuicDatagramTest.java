package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** Packets as datagrams of QUIC, on loopback. */
class QuicDatagramTest {
    private static final int PACKETS = 100;
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);

    @TempDir
    private Path directory;

    private InterfaceRun open(int packetBytes, int packets, Map<String, String> settings) throws Exception {
        return InterfaceRun.open(directory, "quic", "udp", settings, packetBytes, packets, 2, 16);
    }

    @ParameterizedTest
    @CsvSource({"24, cubic", "396, cubic", "992, reno", "992, bbr", "1428, cubic"})
    void deliversEachPacketOnce(int packetBytes, String congestionControl) throws Exception {
        Map<String, String> settings = Map.of("delivery", "datagram", "congestion-control", congestionControl);
        try (InterfaceRun run = open(packetBytes, PACKETS, settings).connect()) {
            run.sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);

            assertThat(run.failures).isEmpty();
            InterfacesTest.eventually().until(() -> run.receiver.counts().leadOutReceived() == 16);
            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, 2, 16, 0));
            assertThat(run.sender.metadata()).containsEntry("quicPacketsLost", 0L);
            assertThat(run.sender.metadata()).containsEntry("quicPacketsNotSent", 0L);
        }
    }

    /**
     * The write of a datagram succeeds although QUIC's queue is full. Several small packets share a datagram of UDP.
     */
    @ParameterizedTest
    @ValueSource(ints = {24, 396, 992})
    void countsPacketsOfFloodThatNeverLeftTheHost(int packetBytes) throws Exception {
        int packets = 50_000;
        try (InterfaceRun run =
                open(packetBytes, packets, Map.of("delivery", "datagram")).connect()) {
            run.sender.send(0, packets, Pace.flood());
            run.receiver.drain(10_000);

            long notSent = (long) run.sender.metadata().get("quicPacketsNotSent");
            assertThat(run.receiver.counts().distinct()).isPositive();
            assertThat(run.receiver.packetsPerDatagram() > 1).isEqualTo(packetBytes < 500);
            assertThat(notSent).isPositive();
            assertThat(run.receiver.counts().distinct() + notSent).isLessThanOrEqualTo(packets);
        }
    }

    /** What QUIC still holds then would leave the host, but arrive too late. */
    @Test
    void endsConnectionIfPacketsAreMissing() throws Exception {
        try (InterfaceRun run =
                open(992, PACKETS, Map.of("delivery", "datagram")).connect()) {
            run.sender.send(-2, PACKETS / 2, PACE);
            run.receiver.drain(100);

            InterfacesTest.eventually()
                    .untilAsserted(() -> assertThatThrownBy(() -> run.sender.send(PACKETS / 2, PACKETS / 2 + 1, PACE))
                            .hasMessageContaining("the receiver closed it"));
        }
    }

    @Test
    void answersDatagrams() throws Exception {
        TrafficSpec traffic = new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofSeconds(10));
        InterfaceRun ended;
        try (InterfaceRun run = new InterfacesTest.Case("quic", "udp", Map.of("delivery", "datagram"))
                .open(traffic, directory, 992, PACKETS)
                .connect()) {
            run.sender.send(0, PACKETS, Pace.flood());
            run.receiver.drain(10_000);
            ended = run;
        }
        try (CaptureReader replies = CaptureReader.open(ended.repliesFile)) {
            assertThat(replies.records()).isEqualTo(PACKETS);
        }
    }

    @Test
    void refusesPacketsLargerThanADatagram() {
        assertThatThrownBy(() -> open(1429, PACKETS, Map.of("delivery", "datagram")))
                .hasMessageContaining("quic.delivery: a datagram of QUIC carries at most 1428 bytes, not 1429");
    }
}

package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.packetio.nativeengine.Peer;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** A packet carries the sent stamp of its record, which lies between clock readings around the call that sent it. */
class SentStampTest {
    private static final int PACKET_BYTES = 101;

    @TempDir
    private Path directory;

    /**
     * @param batch how many packets a system call sends at most
     * @param pushed how many packets are sent between clock readings
     */
    @ParameterizedTest
    @CsvSource({
        "tcp, SYSTEM_CALLS, 1, 1, 3",
        "tcp, CHANNELS, 1, 1, 3",
        "udp, SYSTEM_CALLS, 1, 1, 3",
        "udp, CHANNELS, 1, 1, 3",
        "tcp, SYSTEM_CALLS, 1, 150, 150",
        "udp, SYSTEM_CALLS, 1, 150, 150",
        "tcp, SYSTEM_CALLS, 4, 3, 6",
        "udp, SYSTEM_CALLS, 4, 3, 6"
    })
    void writesTheStampsOfTheCallsIntoPackets(String transport, SocketApi socketApi, int batch, int pushed, int packets)
            throws Exception {
        Runs runs = new Runs(transport);
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        Map<String, String> settings = batch == 1 ? Map.of() : Map.of("batch", Integer.toString(batch));
        long[] readings = new long[packets / pushed * 2];
        try (Peer peer = Peer.of(transport)) {
            try (SenderCapture capture = SenderCapture.create(file, packets, false);
                    PacketSender sender = runs.sender(runs.run(PACKET_BYTES, settings, socketApi))) {
                sender.connect(peer.announcement());
                for (int i = 0; i < packets; i++) {
                    boolean keepsBack = batch > 1 && i % pushed > 0;
                    if (batch == 1 && i % pushed == 0) {
                        readings[i / pushed * 2] = RealtimeClock.nowNs();
                    }
                    sender.send(i, 1_000 + i, capture);
                    if (keepsBack) {
                        assertThat(capture.records()).as("before the push").isEqualTo(i - i % pushed);
                    }
                    if (i % pushed == pushed - 1) {
                        if (batch > 1) {
                            readings[i / pushed * 2] = RealtimeClock.nowNs();
                        }
                        sender.push();
                        readings[i / pushed * 2 + 1] = RealtimeClock.nowNs();
                        sender.push();
                        assertThat(capture.records()).isEqualTo(i + 1);
                    }
                }
            }
            assertThat(readings).isSorted();
            checkPackets(peer, file, batch, pushed, readings);
        }
    }

    private static void checkPackets(Peer peer, Path file, int batch, int pushed, long[] readings) throws Exception {
        try (CaptureReader sent = CaptureReader.open(file)) {
            assertThat(sent.records()).isEqualTo((long) readings.length / 2 * pushed);
            long previousNs = readings[0];
            for (int i = 0; i < sent.records(); i++) {
                ByteBuffer packet = peer.receive(PACKET_BYTES);
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long returnedNs = sent.value(i, sent.field("returned_ns"));
                assertThat(PacketLayout.tag(packet, 0)).isEqualTo(Runs.TAG);
                assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(i);
                assertThat(PacketLayout.sentNs(packet, 0)).isEqualTo(sentNs);
                assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(1_000 + i);
                long fromNs = readings[i / pushed * 2];
                long toNs = readings[i / pushed * 2 + 1];
                assertThat(new long[] {fromNs, sentNs, returnedNs, toNs}).isSorted();
                if (batch == 1) {
                    assertThat(sentNs).as("a separate call").isGreaterThanOrEqualTo(previousNs);
                    previousNs = returnedNs;
                }
            }
        }
    }
}

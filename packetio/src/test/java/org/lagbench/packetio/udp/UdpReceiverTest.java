package org.lagbench.packetio.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.packetio.socket.LoopbackRun;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

@ParameterizedClass
@EnumSource(SocketApi.class)
class UdpReceiverTest {
    @TempDir
    private Path directory;

    @Parameter
    private SocketApi socketApi;

    @Test
    void countsAndRecordsCopiesAndReorderedPackets() throws Exception {
        long[] order = {0, 1, 3, 2, 2, 5, 4, 5, 5, 6, 7, 8, 9};
        LoopbackRun run = LoopbackRun.of(directory, "udp", 396, 10, socketApi);
        try (run;
                DatagramChannel raw = raw(run)) {
            run.startReceiving();
            for (long sequence : order) {
                raw.write(packet(LoopbackRun.TAG, sequence, 396));
            }
            run.awaitReceived();
            assertThat(run.accounting.received()).isEqualTo(13);
            assertThat(run.accounting.counts().distinct()).isEqualTo(10);
            assertThat(run.accounting.counts().duplicated())
                    .as("2 once, 5 twice")
                    .isEqualTo(3);
            assertThat(run.accounting.counts().reordered())
                    .as("2 after 3, 4 after 5")
                    .isEqualTo(2);
            assertThat(run.accounting.counts().foreign()).isZero();
        }
        try (CaptureReader reader = CaptureReader.open(run.receiverPath)) {
            assertThat(reader.records()).isEqualTo(order.length);
            for (int i = 0; i < order.length; i++) {
                assertThat(reader.value(i, 0)).isEqualTo(order[i]);
            }
        }
    }

    @Test
    void countsDatagramsOfOtherRunsAsForeign() throws Exception {
        List<ByteBuffer> foreign = List.of(
                packet(LoopbackRun.TAG, 0, 24).limit(23),
                packet(LoopbackRun.TAG, 0, 395),
                packet(LoopbackRun.TAG, 0, 397),
                packet(LoopbackRun.TAG, 0, 65_507),
                packet(~LoopbackRun.TAG, 0, 396),
                packet(LoopbackRun.TAG, 2, 396),
                packet(LoopbackRun.TAG, -1, 396),
                packet(LoopbackRun.TAG, Integer.MIN_VALUE, 396),
                packet(LoopbackRun.TAG, Integer.MAX_VALUE, 396));
        try (LoopbackRun run = LoopbackRun.of(directory, "udp", 396, 2, socketApi);
                DatagramChannel raw = raw(run)) {
            run.startReceiving().connect().send(0, 1);
            for (ByteBuffer datagram : foreign) {
                raw.write(datagram);
            }
            try (DatagramSocket empty = new DatagramSocket()) { // because a DatagramChannel sends no empty datagram
                empty.send(new DatagramPacket(new byte[0], 0, InetAddress.getLoopbackAddress(), run.port()));
            }
            run.send(1, 2);
            run.awaitReceived();
            assertThat(run.accounting.counts().foreign()).isEqualTo(foreign.size() + 1);
            assertThat(run.accounting.received()).isEqualTo(2);
            assertThat(run.accounting.counts().reordered()
                            + run.accounting.counts().duplicated())
                    .isZero();
        }
    }

    @Test
    void countsTheKernelsDropsExactly() throws Exception {
        for (String host : List.of("127.0.0.1", "0.0.0.0")) {
            try (LoopbackRun run = new LoopbackRun(
                    directory, "udp", host, 396, 5_000, 0, Map.of("receive-buffer", "16KiB"), socketApi)) {
                run.connect().send(0, 5_000); // the receiver does not read yet: its buffer overflows
                run.startReceiving();
                await().atMost(60, TimeUnit.SECONDS)
                        .untilAsserted(() -> assertThat(run.receiver.kernelDrops() + run.accounting.received())
                                .isEqualTo(5_000));
                assertThat(run.receiver.kernelDrops()).isBetween(4_000L, 4_999L);
                long drops = run.receiver.kernelDrops();
                run.receiver.close();
                assertThat(run.receiver.kernelDrops()).as("kept when closed").isEqualTo(drops);
            }
        }
    }

    @Test
    void findsTheSocketInTheKernelsTable() throws Exception {
        // lines as proc(5) describes them, with columns that a kernel printed for 127.0.0.1:4660 and [::1]:4660
        Path table = Files.write(
                directory.resolve("udp"),
                List.of(
                        "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
                                + " inode ref pointer drops            ",
                        "  421: 00000000:1234 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 91"
                                + " 2 0000000000000000 7          ",
                        "  422: 0100007F:1234 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 92"
                                + " 2 0000000000000000 123456     "));
        assertThat(new SocketDrops(table, "0100007F:1234").count()).isEqualTo(123_456);
        assertThat(new SocketDrops(table, "00000000:1234").count()).isEqualTo(7);
        assertThat(new SocketDrops(table, "0100007F:1235").count()).isEqualTo(SocketDrops.UNKNOWN);
        assertThat(new SocketDrops(directory.resolve("absent"), "").count()).isEqualTo(SocketDrops.UNKNOWN);
    }

    private static DatagramChannel raw(LoopbackRun run) throws IOException {
        return DatagramChannel.open().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), run.port()));
    }

    private static ByteBuffer packet(long tag, long sequence, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(bytes);
        PacketLayout.putIdentity(packet, 0, tag, sequence);
        return packet;
    }
}

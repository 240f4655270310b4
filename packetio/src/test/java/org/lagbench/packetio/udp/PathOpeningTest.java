package org.lagbench.packetio.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

class PathOpeningTest {
    private static final long TAG = 7;
    private static final int BYTES = 64;
    private static final String HOST = "127.0.0.1";

    @TempDir
    private Path directory;

    /** As behind a NAT, the receiver's packets have another source than the port that it announces. */
    @Test
    void sendsToTheSourceOfTheReceiversFirstPacket() throws Exception {
        SideConfig side = new SideBuilder("udp", TAG, BYTES, Map.of())
                .host(HOST)
                .listensAt(HOST)
                .build();
        try (DatagramSocket announced = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket source = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 1, false);
                PacketSender sender = new UdpTransport().openSender(side)) {
            InetSocketAddress port = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(),
                    Integer.parseInt(sender.announce().getOrDefault("port", "none")));
            source.send(new DatagramPacket(tag(TAG + 1), Long.BYTES, port)); // the tag of another run
            source.send(new DatagramPacket(tag(TAG), Long.BYTES, port));
            sender.connect(Map.of("port", Integer.toString(announced.getLocalPort())));
            sender.send(0, SenderCapture.UNSCHEDULED, capture);
            sender.flush();

            DatagramPacket packet = new DatagramPacket(new byte[BYTES + 1], BYTES + 1);
            source.receive(packet);
            assertThat(packet.getLength()).isEqualTo(BYTES);
            assertThat(packet.getPort()).isEqualTo(port.getPort());
        }
    }

    @Test
    void sendsToTheAnnouncedPortIfNoPacketArrives() throws Exception {
        SideConfig side = new SideBuilder("udp", TAG, BYTES, Map.of())
                .host(HOST)
                .listensAt(HOST)
                .build();
        try (DatagramSocket announced = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 1, false);
                PacketSender sender = new UdpTransport().openSender(side)) {
            sender.connect(Map.of("port", Integer.toString(announced.getLocalPort())));
            sender.send(0, SenderCapture.UNSCHEDULED, capture);
            sender.flush();

            DatagramPacket packet = new DatagramPacket(new byte[BYTES + 1], BYTES + 1);
            announced.receive(packet);
            assertThat(packet.getLength()).isEqualTo(BYTES);
        }
    }

    private static byte[] tag(long tag) {
        return ByteBuffer.allocate(Long.BYTES).putLong(tag).array();
    }
}

package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.transport.PacketLayout;

/** Datagrams have no proof of their source, so a receiver that answers them could be made to flood a third host. */
class ReflectionTest {
    private static final int PACKET_BYTES = 100;
    private static final int REPLY_TIMEOUT_MS = 30_000;
    private static final TrafficSpec TRAFFIC = new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofSeconds(10));

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c", "netty", "netty epoll"})
    void answersOnlySendersHost(String engine) throws Exception {
        try (InterfaceRun run = InterfacesTest.Case.of(engine, "udp").open(TRAFFIC, directory, PACKET_BYTES, 10);
                DatagramSocket third = new DatagramSocket(0, InetAddress.getByAddress(new byte[] {127, 0, 0, 2}));
                DatagramSocket sender = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            run.receiver.start();
            sender.setSoTimeout(REPLY_TIMEOUT_MS); // no reply comes if one went to the third host
            send(third, run, 0);
            send(third, run, 1);
            send(sender, run, 2);

            assertThat(receive(sender)).isEqualTo(2);
            third.setSoTimeout(1); // the receiver has handled its packets before, and a reply is there at once
            assertThatThrownBy(() -> receive(third)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** In a dynamic channel of Aeron, any host that requests the replies gets them. */
    @Test
    void aeronAnswersAtAnnouncedPortOnly() throws Exception {
        try (InterfaceRun run = InterfacesTest.Case.of("aeron", "udp").open(TRAFFIC, directory, PACKET_BYTES, 10)) {
            assertThat(run.sender.announce()).containsKeys("replies-port", "replies-host");
            assertThat(run.receiver.announce()).containsOnlyKeys("port");
        }
    }

    /** Aeron connects to the place of the replies at once, before any packet. */
    @Test
    void aeronAnswersOnlyHostOfControlConnection() throws Exception {
        try (DatagramSocket sender = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket third =
                        new DatagramSocket(sender.getLocalPort(), InetAddress.getByAddress(new byte[] {127, 0, 0, 2}));
                InterfaceRun run = InterfacesTest.Case.of("aeron", "udp").open(TRAFFIC, directory, PACKET_BYTES, 10);
                ReceiverCapture capture =
                        ReceiverCapture.create(directory.resolve("npy"), 10, ReceiverCapture.ANSWERED_FIELDS);
                ReceiveEngine receiver = run.openReceiver(
                        capture,
                        Map.of("replies-host", "127.0.0.2", "replies-port", Integer.toString(sender.getLocalPort())))) {
            assertThat(receiver.announce()).containsKey("port");
            sender.setSoTimeout(REPLY_TIMEOUT_MS);
            sender.receive(new DatagramPacket(new byte[PACKET_BYTES], PACKET_BYTES));
            third.setSoTimeout(1);
            assertThatThrownBy(() -> receive(third)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    private static void send(DatagramSocket from, InterfaceRun run, long sequence) throws Exception {
        ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
        PacketLayout.putIdentity(packet, 0, InterfaceRun.TAG, sequence);
        from.send(new DatagramPacket(packet.array(), PACKET_BYTES, InetAddress.getLoopbackAddress(), run.port()));
    }

    /** Returns the sequence number of the next reply. */
    private static long receive(DatagramSocket at) throws Exception {
        ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
        at.receive(new DatagramPacket(packet.array(), PACKET_BYTES));
        return PacketLayout.sequence(packet, 0);
    }
}

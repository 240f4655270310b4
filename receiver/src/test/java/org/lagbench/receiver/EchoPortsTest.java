package org.lagbench.receiver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.Access;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.Handshake;
import org.lagbench.control.ReceiverHost;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

/** Tests the description of a receiver's host, and its ports for checks. */
class EchoPortsTest {
    private static final SenderPrograms NO_SENDERS = new SenderPrograms(List.of(), null, ClockPolicy.DEFAULT.chrony());

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int SHORT_TIMEOUT_MS = 200;

    @Test
    void describesHostAndReturnsDatagrams(@TempDir Path directory) throws Exception {
        Thread serving;
        try (ReceiverServer server = new ReceiverServer(
                Endpoint.parse("127.0.0.1:0"),
                Access.of(null, Set.of()),
                LocalEnd.ANY,
                directory,
                new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT)),
                NO_SENDERS)) {
            serving = new Thread(() -> server.serve(Long.MAX_VALUE));
            serving.start();
            ReceiverHost host;
            try (ControlConnection connection = ControlConnection.ofSender(
                    new Socket(LOOPBACK, server.endpoint().port()))) {
                Handshake.introduce(connection, null);
                connection.write(new ControlMessage.Ask(ControlMessage.Question.HOST));
                host = connection.read(ControlMessage.HostIs.class).host();

                assertThat(host.dataHost()).isEqualTo("127.0.0.1");
                assertThat(host.bufferLimits())
                        .containsEntry(
                                "net.core.rmem_max",
                                Long.valueOf(Files.readAllLines(Path.of("/proc/sys/net/core/rmem_max"))
                                        .get(0)));
                assertThat(echo(LOOPBACK, host.udpPort(), "x")).isEqualTo("x");
                new Socket(LOOPBACK, host.tcpPort()).close();
            }
            // The ports belong to the connection.
            await().atMost(60, TimeUnit.SECONDS).until(() -> isRefused(host.tcpPort()));
        }
        serving.join();
    }

    @Test
    void repliesOnlyToPeer() throws Exception {
        try (EchoPorts ports = EchoPorts.open("127.0.0.1", "127.0.0.1")) {
            assertThatThrownBy(() -> echo(InetAddress.getByName("127.0.0.2"), ports.udpPort(), "other"))
                    .isInstanceOf(SocketTimeoutException.class);
            assertThat(echo(LOOPBACK, ports.udpPort(), "peer")).isEqualTo("peer");
        }
    }

    private static boolean isRefused(int port) {
        try (Socket socket = new Socket(LOOPBACK, port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    /** Sends a datagram from an address and returns the reply. */
    private static String echo(InetAddress from, int port, String text) throws Exception {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
            socket.setSoTimeout(from.equals(LOOPBACK) ? 60_000 : SHORT_TIMEOUT_MS);
            socket.send(new DatagramPacket(text.getBytes(US_ASCII), text.length(), LOOPBACK, port));
            DatagramPacket reply = new DatagramPacket(new byte[16], 16);
            socket.receive(reply);
            return new String(reply.getData(), 0, reply.getLength(), US_ASCII);
        }
    }
}

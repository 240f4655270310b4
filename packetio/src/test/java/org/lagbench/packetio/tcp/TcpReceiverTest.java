package org.lagbench.packetio.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.LoopbackRun;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

@ParameterizedClass
@EnumSource(SocketApi.class)
class TcpReceiverTest {
    @TempDir
    private Path directory;

    @Parameter
    private SocketApi socketApi;

    @Test
    void countsOtherConnectionsAsForeign() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 396, 5_000, socketApi)) {
            run.startReceiving();
            try (Socket silent = stranger(run);
                    Socket garbage = stranger(run);
                    Socket brief = stranger(run);
                    Socket almost = stranger(run)) {
                brief.getOutputStream().write(new byte[] {0x7A, 0x6B, 0x5C});
                brief.shutdownOutput();
                almost.getOutputStream().write(tag(LoopbackRun.TAG + 1));
                writeGarbage(garbage, 1 << 20);
                run.connect().send(0, 2_500);
                await().atMost(60, TimeUnit.SECONDS)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> run.accounting.received() == 2_500);
                assertThat(silent.getInputStream().read()).as("hung up on").isEqualTo(-1);
                assertThatThrownBy(() -> stranger(run)).isInstanceOf(ConnectException.class);
                run.send(2_500, 5_000);
                run.awaitReceived();
            }
            assertThat(run.accounting.isComplete()).isTrue();
            assertThat(run.accounting.counts().duplicated()
                            + run.accounting.counts().reordered())
                    .isZero();
            assertThat(run.accounting.counts().foreign()).isEqualTo(4);
        }
    }

    @Test
    void acceptsTheSenderAmongManySilentConnections() throws Exception {
        List<Socket> crowd = new ArrayList<>();
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 24, 10, socketApi)) {
            run.startReceiving();
            for (int i = 0; i < 300; i++) {
                crowd.add(stranger(run));
            }
            run.connect().send(0, 10);
            run.awaitReceived();
            assertThat(run.accounting.isComplete()).isTrue();
            assertThat(run.accounting.counts().foreign()).isEqualTo(300);
        } finally {
            for (Socket stranger : crowd) {
                stranger.close();
            }
        }
    }

    @Test
    void acceptsTheSenderBeforeItsFirstPacketIsDue() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 992, 3, socketApi)) {
            run.startReceiving().connect();
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> run.receiver.metadata().containsKey("remoteAddress"));
            assertThat(run.receiver.metadata().get("remoteAddress"))
                    .isEqualTo(run.sender.metadata().get("localAddress"));
            run.send(0, 3);
            run.awaitReceived();
            assertThat(run.accounting.isComplete()).isTrue();
        }
    }

    @Test
    void framesPacketsSplitAnywhere() throws Exception {
        byte[] packet = new byte[25];
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 25, 100, socketApi)) {
            run.startReceiving();
            try (Socket raw = stranger(run)) {
                raw.setTcpNoDelay(true);
                OutputStream out = raw.getOutputStream();
                Random random = new Random(3);
                for (int sequence = 0; sequence < 60; sequence++) {
                    PacketLayout.putIdentity(ByteBuffer.wrap(packet), 0, LoopbackRun.TAG, sequence);
                    int cut = random.nextInt(26);
                    out.write(packet, 0, cut);
                    out.write(packet, cut, 25 - cut);
                }
                out.write(packet, 0, 20); // as from a sender that was killed while it sent a packet
            }
            run.awaitReceived();
            assertThat(run.accounting.counts().distinct()).isEqualTo(60);
            assertThat(run.accounting.counts().foreign()).isZero();
            assertThat(run.receiver.receive(run.accounting)).isEqualTo(PacketReceiver.END);
        }
    }

    @Test
    void reportsACorruptStream() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 24, 100, socketApi)) {
            run.startReceiving();
            try (Socket raw = stranger(run)) {
                raw.getOutputStream().write(tag(LoopbackRun.TAG));
                raw.getOutputStream().write(new byte[40]);
                assertThatThrownBy(run::awaitReceived)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("after 1 packets of 24 bytes the next does not begin with the run's tag");
            }
            assertThat(run.accounting.counts().foreign()).isEqualTo(1);
        }
    }

    /** Data that the sender had sent and the receiver had not read makes the kernel reset the connection. */
    @Test
    void reportsAResetConnection() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 101, 10, socketApi)) {
            run.startReceiving();
            try (Socket raw = stranger(run)) {
                ByteBuffer packet = ByteBuffer.allocate(101);
                PacketLayout.putIdentity(packet, 0, LoopbackRun.TAG, 0);
                raw.getOutputStream().write(packet.array());
                await().atMost(60, TimeUnit.SECONDS)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> run.accounting.received() == 1);
                raw.setSoLinger(true, 0);
            }
            assertThatThrownBy(run::awaitReceived)
                    .isInstanceOf(IOException.class)
                    .hasMessage("Receiving over TCP on 127.0.0.1 failed: Connection reset by peer");
        }
    }

    @Test
    void reportsRefusedConnection() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, "tcp", 24, 1, socketApi)) {
            run.receiver.close();
            assertThatThrownBy(run::connect)
                    .isInstanceOfSatisfying(LagbenchException.class, e -> assertThat(e.exitCode())
                            .isEqualTo(ExitCode.PEER))
                    .hasMessageContaining("127.0.0.1:" + run.port())
                    .hasMessageContaining("refused");
        }
    }

    @Test
    void closingEndsTheWaitForTheSender() throws Exception {
        LoopbackRun run = LoopbackRun.of(directory, "tcp", 24, 1, socketApi);
        run.startReceiving();
        try (Socket stranger = stranger(run)) {
            await().atMost(60, TimeUnit.SECONDS)
                    .pollDelay(100, TimeUnit.MILLISECONDS)
                    .until(run::isReceiving);
            run.receiver.close();
            run.awaitReceived();
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(run.receiver.receive(run.accounting)).isEqualTo(PacketReceiver.END);
        run.close();
    }

    private static Socket stranger(LoopbackRun run) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), run.port());
    }

    private static byte[] tag(long tag) {
        return ByteBuffer.allocate(Long.BYTES).putLong(tag).array();
    }

    private static void writeGarbage(Socket socket, int bytes) throws IOException {
        byte[] garbage = new byte[bytes];
        new Random(2).nextBytes(garbage);
        try {
            socket.getOutputStream().write(garbage);
        } catch (SocketException e) {
            // the receiver may already have closed the connection, as it should
            assertThat(e).hasMessageMatching("(?i).*(broken pipe|connection reset).*");
        }
    }
}

package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** What TCP and UDP have in common, over real sockets. */
@ParameterizedClass
@CsvSource({"tcp, CHANNELS", "tcp, SYSTEM_CALLS", "udp, CHANNELS", "udp, SYSTEM_CALLS"})
class SocketDeliveryTest {
    @TempDir
    private Path directory;

    @Parameter(0)
    private String transport;

    @Parameter(1)
    private SocketApi socketApi;

    @Test
    void deliversOverIpv6() throws Exception {
        boolean hasLoopback = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
        assumeTrue(hasLoopback, "this machine has no IPv6 loopback");
        try (LoopbackRun run = new LoopbackRun(directory, transport, "::1", 396, 50, 0, Map.of(), socketApi)) {
            run.startReceiving().connect().send(0, 50);
            run.awaitReceived();
            assertThat(run.accounting.counts().distinct()).isEqualTo(50);
            assertThat(run.sender.metadata().get("remoteAddress")).isEqualTo("[::1]:" + run.port());
            assertThat(run.receiver.kernelDrops()).isEqualTo(transport.equals("udp") ? 0 : PacketReceiver.NOT_COUNTED);
        }
    }

    @Test
    void deliversFromASenderThatWaitsForTheReceiver() throws Exception {
        assumeTrue(transport.equals("tcp"), "UDP has no connections");
        try (LoopbackRun run = LoopbackRun.toWaitingSender(directory, 396, 50, socketApi)) {
            assertThat(run.sender.announce()).containsOnlyKeys("port");
            run.startReceiving().connect().send(0, 50);
            run.awaitReceived();
            assertThat(run.accounting.counts().distinct()).isEqualTo(50);
            assertThat(run.accounting.counts().foreign()).isZero();
            assertThat(run.sender.metadata().get("localAddress"))
                    .isEqualTo("127.0.0.1:" + run.sender.announce().get("port"));
            assertThat(run.sender.metadata().get("remoteAddress")).isEqualTo("127.0.0.1:" + run.port());
        }
    }

    @Test
    void reportsTheGrantedBuffers() throws Exception {
        Map<String, String> asked = Map.of("send-buffer", "40000", "receive-buffer", "30000");
        LoopbackRun run = new LoopbackRun(directory, transport, "127.0.0.1", 396, 5, 0, asked, socketApi);
        try (run) {
            run.startReceiving().connect().send(0, 5);
            run.awaitReceived();
            // Linux grants twice the requested size: socket(7)
            assertThat(run.sender.metadata())
                    .containsEntry("sendBufferRequestedBytes", 40_000L)
                    .containsEntry("sendBufferBytes", 80_000L)
                    .doesNotContainKey("sendBufferLimitBytes");
            assertThat(run.receiver.metadata())
                    .containsEntry("receiveBufferRequestedBytes", 30_000L)
                    .containsEntry("receiveBufferBytes", 60_000L)
                    .doesNotContainKey("receiveBufferLimitBytes");
        }
        assertThat(run.receiver.metadata()).as("kept when closed").containsEntry("receiveBufferBytes", 60_000L);
        assertThat(run.sender.metadata()).as("kept when closed").containsEntry("sendBufferBytes", 80_000L);
    }

    @Test
    void reportsTheSameBuffersAsSs() throws Exception {
        try (LoopbackRun run = new LoopbackRun(
                directory,
                transport,
                "127.0.0.1",
                396,
                5,
                0,
                Map.of("send-buffer", "40000", "receive-buffer", "30000"),
                socketApi)) {
            run.startReceiving().connect().send(0, 5);
            run.awaitReceived();
            String port = ":" + run.port();
            assertThat(skmem(transport, "sport = " + port))
                    .contains(",rb" + run.receiver.metadata().get("receiveBufferBytes"));
            assertThat(skmem(transport, "dport = " + port))
                    .contains(",tb" + run.sender.metadata().get("sendBufferBytes"));
        }
    }

    /** Returns ss(8)'s line with a socket's memory. */
    private static String skmem(String transport, String filter) throws IOException {
        Process ss;
        try {
            ss = new ProcessBuilder("ss", "-Hnam", "--" + transport, filter)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "there is no ss: " + e.getMessage());
            throw e;
        }
        try (BufferedReader output = ss.inputReader()) {
            return output.lines()
                    .filter(line -> line.contains("skmem"))
                    .findFirst()
                    .orElse("nothing of " + filter);
        }
    }

    @Test
    void reportsALimitedBuffer() throws Exception {
        long limit = Long.parseLong(
                Files.readAllLines(Path.of("/proc/sys/net/core/rmem_max")).get(0));
        assumeTrue(limit < 1 << 30);
        try (LoopbackRun run = new LoopbackRun(
                directory, transport, "127.0.0.1", 396, 5, 0, Map.of("receive-buffer", "1GiB"), socketApi)) {
            assertThat(run.receiver.metadata())
                    .containsEntry("receiveBufferRequestedBytes", 1L << 30)
                    .containsEntry("receiveBufferLimitBytes", limit)
                    .containsEntry("receiveBufferBytes", 2 * limit);
        }
    }

    @Test
    void rejectsAnAddressOfAnotherMachine() {
        assertThatThrownBy(() -> new LoopbackRun(directory, transport, "192.0.2.1", 396, 5, 0, Map.of(), socketApi))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("Is it an address of this machine?");
    }

    @Test
    void rejectsAnInvalidAnnouncedPort() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 1, socketApi)) {
            for (String port : List.of("0", "65536", "-1", "x", "")) {
                assertThatThrownBy(() -> run.sender.connect(Map.of("port", port)))
                        .isInstanceOfSatisfying(LagbenchException.class, e -> assertThat(e.exitCode())
                                .isEqualTo(ExitCode.PEER));
            }
            assertThatThrownBy(() -> run.sender.connect(Map.of())).isInstanceOf(LagbenchException.class);
        }
    }

    @Test
    void rejectsSendingUnlessConnected() throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 1, socketApi)) {
            assertThatThrownBy(() -> run.send(0, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not connected");
            run.sender.close();
            run.sender.close();
            assertThatThrownBy(() -> run.send(0, 1)).isInstanceOf(IOException.class);
            assertThatThrownBy(run::connect).isInstanceOf(LagbenchException.class);
        }
    }

    @Test
    void endsABlockedReceiveWhenInterrupted() throws Exception {
        assumeTrue(transport.equals("tcp") || socketApi == SocketApi.CHANNELS, "an interrupt does not end a wait in C");
        try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 1, socketApi)) {
            Thread.currentThread().interrupt();
            assertThat(run.receiver.receive(run.accounting)).isEqualTo(PacketReceiver.END);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(run.receiver.receive(run.accounting)).isEqualTo(PacketReceiver.END);
        }
    }

    @Test
    void findsTransportsByName() throws Exception {
        Transports transports = Transports.load();
        assertThat(transports.named("tcp").title()).isEqualTo("TCP/IP");
        assertThat(transports.named("udp").title()).isEqualTo("UDP/IP");
        assertThatThrownBy(() -> transports.named("sctp"))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("tcp, udp");
    }
}

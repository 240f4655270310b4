package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** Runs over SRT by the real library, on loopback. */
@Timeout(120)
class SrtRunTest {
    private static final int PACKETS = 200;
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsLibrary() throws LagbenchException {
        InterfaceRun.assumeAvailable("libsrt", "srt");
    }

    private InterfaceRun open(int packetBytes, Map<String, String> settings) throws Exception {
        return InterfaceRun.open(directory, "libsrt", "srt", settings, packetBytes, PACKETS, 2, 16);
    }

    @ParameterizedTest
    @CsvSource({
        "992, none, none",
        "992, 10x5, none",
        "992, none, aes-128",
        "24, 10x1, aes-256",
        "1456, none, none",
        "1452, 10x5, aes-192"
    })
    void deliversEachPacketOnceAndNotBeforeItsLatency(int packetBytes, String fec, String encryption) throws Exception {
        InterfaceRun ended;
        try (InterfaceRun run = open(packetBytes, Map.of("latency", "50ms", "fec", fec, "encryption", encryption))
                .connect()) {
            run.sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);

            assertThat(run.failures).isEmpty();
            InterfacesTest.eventually().until(() -> run.receiver.counts().leadOutReceived() == 16);
            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, 2, 16));
            assertThat(run.receiver.metadata())
                    .containsEntry("srtLatencyMs", 50L)
                    .containsEntry("srtConnectionsRefused", 0L)
                    .containsKeys("localAddress", "remoteAddress");
            assertThat(run.sender.metadata()).containsEntry("srtPacketsSent", PACKETS + 18L);
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile);
                CaptureReader received = CaptureReader.open(ended.receivedFile)) {
            for (int i = 0; i < PACKETS; i++) {
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                long lagNs = received.value(i, received.field("received_ns")) - sent.value(i, sent.field("sent_ns"));
                // 50 ms less 1: libsrt's clock begins at a packet with its own delay, and counts whole µs
                assertThat(lagNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(49));
            }
        }
    }

    /** With the library's default buffers, the stream stops at 8,192 packets, and no call fails. */
    @Test
    void deliversStreamWhoseLatencyHoldsMorePacketsThanDefaultBuffers() throws Exception {
        int packets = 12_000;
        Pace pace = new Pace(Pace.Mode.SLEEP, 1_000_000, 10);
        try (InterfaceRun run =
                InterfaceRun.open(directory, "libsrt", "srt", Map.of("latency", "2s"), 24, packets, 0, 0, pace)) {
            run.connect().sender.send(0, packets, pace);
            run.receiver.drain(10_000);

            assertThat(run.receiver.counts().received()).isEqualTo(packets);
        }
    }

    /** Nothing repairs it, because no later packet reveals its loss. */
    @Test
    void endsAlthoughLastPacketIsLost() throws Exception {
        try (InterfaceRun run = open(100, Map.of("latency", "50ms"));
                PathWithoutEnd path = new PathWithoutEnd(run.port(), 2 + PACKETS + 15)) {
            run.receiver.start();
            Map<String, String> announced = new HashMap<>(run.receiver.announce());
            announced.put("port", Integer.toString(path.port()));
            run.sender.connect(announced);
            run.sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);

            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, 2, 15));
            assertThat(run.sender.metadata()).containsEntry("srtPacketsSent", PACKETS + 18L);
        }
    }

    @Test
    void refusesLatencyForWhichNoBufferIsLargeEnough() {
        Pace pace = new Pace(Pace.Mode.SLEEP, 10_000, 1);
        assertThatThrownBy(() ->
                        InterfaceRun.open(directory, "libsrt", "srt", Map.of("latency", "1min"), 24, 10, 0, 0, pace))
                .hasMessageContaining("srt.latency: 60s of 100000 packets/s needs buffers of 9150000 packets");
    }

    @ParameterizedTest
    @CsvSource({"none", "aes-128"})
    void refusesStrangerAndReceivesFromSender(String encryption) throws Exception {
        Map<String, String> settings = Map.of("latency", "20ms", "encryption", encryption);
        try (InterfaceRun run = open(100, settings)) {
            run.receiver.start();
            assertThat(replyToStranger(run.port(), encryption))
                    .startsWith("failed Cannot connect to the receiver's SRT port 127.0.0.1:" + run.port());

            run.connect().sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);
            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS);
            assertThat(run.receiver.counts().foreign()).isZero();
            assertThat(run.receiver.metadata())
                    .containsEntry("srtConnectionsRefused", encryption.equals("none") ? 1L : 0L);
        }
    }

    /** Connects with another tag than the run's. */
    private String replyToStranger(int port, String encryption) throws Exception {
        Path capture = directory.resolve("other.npy");
        SenderCapture.create(capture, 1, false).close();
        Process stranger = new ProcessBuilder(
                        program().toString(),
                        "send",
                        "stream=false",
                        "host=127.0.0.1",
                        "port=" + port,
                        "packet-bytes=100",
                        "packets=1",
                        "latency=20ms",
                        "encryption=" + encryption,
                        "capture=" + capture)
                .start();
        try (BufferedReader replies = stranger.inputReader(StandardCharsets.UTF_8)) {
            stranger.outputWriter(StandardCharsets.UTF_8)
                    .append("tag 0123456789abcdef\n")
                    .flush();
            return replies.readLine();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }

    private static Path program() throws LagbenchException {
        return new EngineProgram("lagbench-srt", "libsrt", "libsrt", "").path();
    }

    /** A path to a port of this host that loses all data packets of SRT after the first ones. */
    private static final class PathWithoutEnd implements AutoCloseable {
        private final DatagramSocket front = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final DatagramSocket back = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final SocketAddress receiver;
        private final int passed;
        private final CompletableFuture<SocketAddress> sender = new CompletableFuture<>();

        PathWithoutEnd(int port, int passed) throws IOException {
            this.receiver = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            this.passed = passed;
            new Thread(this::passForward, "forward").start();
            new Thread(this::passBack, "back").start();
        }

        int port() {
            return front.getLocalPort();
        }

        private void passForward() {
            DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
            try {
                for (int data = 0; ; ) {
                    datagram.setLength(2_000);
                    front.receive(datagram);
                    sender.complete(datagram.getSocketAddress());
                    boolean isControl = datagram.getData()[0] < 0;
                    if (isControl || data < passed) {
                        data += isControl ? 0 : 1;
                        back.send(new DatagramPacket(datagram.getData(), datagram.getLength(), receiver));
                    }
                }
            } catch (IOException e) {
                back.close(); // the test has closed one of them
            }
        }

        private void passBack() {
            DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
            try {
                while (true) {
                    datagram.setLength(2_000);
                    back.receive(datagram);
                    front.send(new DatagramPacket(datagram.getData(), datagram.getLength(), sender.join()));
                }
            } catch (IOException e) {
                front.close(); // the test has closed one of them
            }
        }

        @Override
        public void close() {
            front.close();
            back.close();
        }
    }
}

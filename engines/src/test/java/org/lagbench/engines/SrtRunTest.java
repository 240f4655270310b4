package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** Runs over SRT by the real library, on loopback. */
class SrtRunTest {
    private static final int PACKETS = 200;
    private static final String TAG = "00000000000000a7";
    private static final String STRANGER = "0123456789abcdef";
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
            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, 2, 16, 0));
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
                SrtPath path = new SrtPath(run.port(), packet -> packet.index() < 2 + PACKETS + 15 ? 1 : 0)) {
            send(run, path);

            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, 2, 15, 0));
            assertThat(run.sender.metadata()).containsEntry("srtPacketsSent", PACKETS + 18L);
        }
    }

    /** One packet arrives twice, and another only after libsrt has given it up. */
    @Test
    void countsNoFirstCopyAsNeedless() throws Exception {
        AtomicInteger lostSequence = new AtomicInteger(-1);
        AtomicReference<SrtPath.Data> late = new AtomicReference<>();
        try (InterfaceRun run = open(100, Map.of("latency", "50ms"));
                SrtPath path = new SrtPath(run.port(), packet -> {
                    if (packet.index() == 20) {
                        lostSequence.set(packet.sequence());
                        late.set(packet);
                        return 0;
                    }
                    SrtPath.Data held = packet.index() >= 150 ? late.getAndSet(null) : null;
                    if (held != null) {
                        held.pass(); // 130 ms after it was sent
                    }
                    boolean isCopy = packet.sequence() == lostSequence.get();
                    return isCopy ? 0 : packet.index() == 60 ? 2 : 1;
                })) {
            send(run, path);

            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS - 1);
            assertThat(run.receiver.metadata())
                    .containsEntry("srtPacketsGivenUp", 1L)
                    .containsEntry("srtPacketsNeedless", 1L);
        }
    }

    private static void send(InterfaceRun run, SrtPath path) throws Exception {
        run.receiver.start();
        Map<String, String> announced = new HashMap<>(run.receiver.announce());
        announced.put("port", Integer.toString(path.port()));
        run.sender.connect(announced);
        run.sender.send(-2, PACKETS + 16, PACE);
        run.receiver.drain(10_000);
    }

    @Test
    void refusesLatencyForWhichNoBufferIsLargeEnough() throws Exception {
        Pace pace = new Pace(Pace.Mode.SLEEP, 10_000, 1);
        assertThatThrownBy(() ->
                        InterfaceRun.open(directory, "libsrt", "srt", Map.of("latency", "667ms"), 24, 10, 0, 0, pace))
                .hasMessageContaining("srt.latency: 667ms of 100000 packets/s needs buffers of 250050 packets");
        InterfaceRun.open(directory, "libsrt", "srt", Map.of("latency", "666ms"), 24, 10, 0, 0, pace)
                .close();
    }

    @ParameterizedTest
    @CsvSource({"none", "aes-128"})
    void refusesStrangerAndReceivesFromSender(String encryption) throws Exception {
        Map<String, String> settings = Map.of("latency", "20ms", "encryption", encryption);
        try (InterfaceRun run = open(100, settings)) {
            run.receiver.start();
            assertThat(replyToStranger(run.port(), encryption))
                    .startsWith("failed Cannot connect to the receiver's SRT port 127.0.0.1:" + run.port());

            run.connect();
            replyToStranger(run.port(), encryption); // libsrt keeps the memory of each wrong passphrase
            run.sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);
            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS);
            assertThat(run.receiver.counts().foreign()).isZero();
            assertThat(run.receiver.metadata())
                    .containsEntry("srtConnectionsRefused", encryption.equals("none") ? 2L : 1L);
        }
    }

    @ParameterizedTest
    @CsvSource({"none", "aes-128"})
    void refusesStrangerThatConnectsToSender(String encryption) throws Exception {
        Path sent = directory.resolve("sent.npy");
        Path received = directory.resolve("received.npy");
        SenderCapture.create(sent, 1, false).close();
        ReceiverCapture.create(received, 1, false).close();
        Process sender = program("send", encryption, sent, "listens=true", "from-host=127.0.0.1", "host=127.0.0.1");
        try (BufferedReader statuses = sender.inputReader(StandardCharsets.UTF_8);
                Writer commands = sender.outputWriter(StandardCharsets.UTF_8)) {
            commands.append("tag " + TAG + "\n").flush();
            String port = statuses.readLine().substring("port ".length());
            assertThat(statuses.readLine()).isEqualTo("listening");
            List<String> connects =
                    List.of("host=127.0.0.1", "admit=127.0.0.1", "sender-host=127.0.0.1", "sender-port=" + port);

            assertThat(statuses(STRANGER, "receive", encryption, received, connects, () -> ""))
                    .startsWith("failed Cannot connect to the sender's SRT port 127.0.0.1:" + port);
            assertThat(statuses(TAG, "receive", encryption, received, connects, () -> {
                        commands.append("accept\n").flush();
                        return statuses.readLine();
                    }))
                    .startsWith("metadata localAddress ")
                    .contains("\nmetadata localAddress 127.0.0.1:" + port);
        } finally {
            sender.destroyForcibly().waitFor();
        }
    }

    /** Connects with another tag than the run's. */
    private String replyToStranger(int port, String encryption) throws Exception {
        Path capture = Files.createTempDirectory(directory, "stranger").resolve("other.npy");
        SenderCapture.create(capture, 1, false).close();
        return statuses(STRANGER, "send", encryption, capture, List.of("host=127.0.0.1", "port=" + port), () -> "");
    }

    /** Returns the first status of a program, and what another one says then. */
    private static String statuses(
            String tag, String role, String encryption, Path capture, List<String> connects, Callable<String> other)
            throws Exception {
        Process started = program(role, encryption, capture, connects.toArray(String[]::new));
        try (BufferedReader statuses = started.inputReader(StandardCharsets.UTF_8)) {
            started.outputWriter(StandardCharsets.UTF_8)
                    .append("tag " + tag + "\n")
                    .flush();
            return statuses.readLine() + "\n" + other.call();
        } finally {
            started.destroyForcibly().waitFor();
        }
    }

    private static Process program(String role, String encryption, Path capture, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                program().toString(),
                role,
                "stream=false",
                "packet-bytes=100",
                "packets=1",
                "latency=20ms",
                "connect-timeout-ms=5000",
                "encryption=" + encryption,
                "capture=" + capture));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).start();
    }

    private static Path program() throws LagbenchException {
        return new EngineProgram("lagbench-srt", "libsrt", "libsrt", "").path();
    }
}

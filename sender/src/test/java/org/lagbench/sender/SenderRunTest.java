package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.control.CaptureTransfer;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Refusal;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.packet.PacketLayout;

/** Tests the sender's side of a run with a fake receiver. */
@Timeout(120)
class SenderRunTest {
    private final Path directory;

    @AutoClose
    private final FakeReceiver receiver = new FakeReceiver();

    SenderRunTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
    }

    @Test
    void sendsRecordedPacketsBetweenWarmUpAndLeadOut() throws Exception {
        long[] sequences = new long[FakeReceiver.PACKETS];
        long[] stamps = new long[FakeReceiver.PACKETS];
        CompletableFuture<Long> warmUp = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            ByteBuffer packet = ByteBuffer.allocate(100);
            long before = 0;
            for (int i = 0; i < FakeReceiver.PACKETS; ) {
                packets.receive(packet.clear());
                assertThat(packet.position()).isEqualTo(24);
                long sequence = PacketLayout.sequence(packet, 0);
                if (sequence < 0) {
                    before++;
                } else {
                    sequences[i] = sequence;
                    stamps[i++] = PacketLayout.sentNs(packet, 0);
                }
            }
            packets.receive(packet.clear());
            assertThat(PacketLayout.sequence(packet, 0))
                    .as("the lead-out's first")
                    .isEqualTo(-1_050);
            connection.close();
            return before;
        });

        LagbenchException broken =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(10)), directory);

        assertThat(warmUp.get(60, TimeUnit.SECONDS)).isEqualTo(50);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.records()).isEqualTo(FakeReceiver.PACKETS);
            for (int i = 0; i < FakeReceiver.PACKETS; i++) {
                assertThat(sequences[i]).isEqualTo(i);
                assertThat(stamps[i]).isEqualTo(capture.value(i, capture.field("sent_ns")));
                assertThat(capture.value(i, capture.field("returned_ns"))).isGreaterThanOrEqualTo(stamps[i]);
            }
        }
    }

    @Test
    void keepsStampsWhenReceiverDies() throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiveTen(packets);
            connection.close();
            return 0L;
        });

        LagbenchException broken = receiver.broken(
                FakeReceiver.spec("udp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        RunRecord record = RunRecordFile.read(directory.resolve("run"));
        assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
        assertThat(record.failure()).isEqualTo(broken.sentence());
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.unfinished()).isFalse();
            assertThat(capture.records()).isBetween(10L, (long) FakeReceiver.PACKETS);
        }
    }

    /** Receives until ten recorded packets are due. */
    private static void receiveTen(DatagramChannel packets) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(100);
        do {
            packets.receive(packet.clear());
        } while (PacketLayout.sequence(packet, 0) < 10);
    }

    @Test
    void reportsPacketCountWhenReceiverIsInterrupted() throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiveTen(packets);
            connection.refuseAndClose(new ControlMessage.Refused(Refusal.INTERRUPTED, "The receiver was interrupted"));
            return 0L;
        });

        LagbenchException broken = receiver.broken(
                FakeReceiver.spec("udp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        RunRecord record = RunRecordFile.read(directory.resolve("run"));
        assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            String when = "The receiver was interrupted after " + capture.records() + " of " + FakeReceiver.PACKETS
                    + " packets";
            assertThat(record.failure()).isEqualTo(when + ".");
            assertThat(broken).hasMessage(when + "; their stamps are kept in " + directory.resolve("run") + ".");
        }
    }

    @Test
    void reportsReceiversReasonForBrokenConnection() throws Exception {
        try (ServerSocket data = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> served =
                    receiver.serve(Map.of("port", Integer.toString(data.getLocalPort())), (c, none) -> {
                        try (Socket packets = data.accept()) {
                            packets.setSoLinger(true, 0); // the close sends a reset: the sender's next write fails
                            receiver.begin(c);
                            assertThat(packets.getInputStream().readNBytes(24))
                                    .hasSize(24); // the first of the lead-in's 50 packets, 10 ms apart
                        }
                        // the sender must notice the reset before the refusal
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400));
                        c.refuseAndClose(
                                new ControlMessage.Refused(Refusal.INTERRUPTED, "The receiver was interrupted"));
                        return 0L;
                    });

            LagbenchException broken = receiver.broken(
                    FakeReceiver.spec("tcp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)), directory);

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(broken)
                    .hasMessage("The receiver was interrupted before the first recorded packet; nothing was kept.");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void breaksRunWhenReceiverStalls() throws Exception {
        try (ServerSocket data = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> served =
                    receiver.serve(Map.of("port", Integer.toString(data.getLocalPort())), (c, none) -> {
                        try (Socket stalled = data.accept()) {
                            receiver.await(c, ControlMessage.Connected.class);
                            ControlMessage message = c.readUnlessClosed();
                            while (message != null) {
                                assertThat(message).isInstanceOf(ControlMessage.Alive.class);
                                message = c.readUnlessClosed();
                            }
                            return stalled.isClosed() ? 1L : 0L;
                        }
                    });

            LagbenchException broken = receiver.broken(
                    new RunSpec(
                            "run",
                            "tcp",
                            60_000,
                            FakeReceiver.PACKETS,
                            20_000,
                            Pace.flood(),
                            1,
                            Settings.of(FakeReceiver.transport("tcp").settings(), Map.of()),
                            new Program("java", JvmOptions.NONE),
                            Observation.DEFAULT,
                            null,
                            Duration.ofMillis(100),
                            Duration.ofSeconds(1)),
                    directory);

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken).hasMessageContaining("the receiver does not receive any more");
            assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void deletesFilesWhenReceiverRefuses() throws Exception {
        CompletableFuture<ControlMessage.Offer> served =
                receiver.refuse(new ControlMessage.Refused(Refusal.UNAVAILABLE, "The channel is taken."));

        LagbenchException refused =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.sentence()).isEqualTo("The channel is taken.");
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"FLOOD, true", "SLEEP, false"})
    void announcesFloodInOffer(Pace.Mode mode, boolean flood) throws Exception {
        CompletableFuture<ControlMessage.Offer> served =
                receiver.refuse(new ControlMessage.Refused(Refusal.UNAVAILABLE, "No."));
        Pace pace = mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, 1_000_000);

        receiver.broken(FakeReceiver.spec("udp", pace, Duration.ofSeconds(5)), directory);

        assertThat(served.get(60, TimeUnit.SECONDS).flood()).isEqualTo(flood);
    }

    @Test
    void namesEndpointWithoutReceiver() throws Exception {
        receiver.close();

        LagbenchException failure =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)), directory);

        assertThat(failure.exitCode()).isEqualTo(ExitCode.PEER);
        assertThat(failure).hasMessageContaining(receiver.endpoint().toString());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void sendsOnRequestOnlyToItsRequester() throws Exception {
        CompletableFuture<Long> served =
                receiver.serve(Map.of("port", "9", "host", "127.0.0.2"), (connection, none) -> {
                    ControlMessage answer = receiver.await(connection, ControlMessage.class);
                    assertThat(answer).isInstanceOf(ControlMessage.Refused.class);
                    return 0;
                });

        LagbenchException failure =
                receiver.brokenOnRequest(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)), directory);

        assertThat(failure).hasMessageContaining("another address than its own");
        assertThat(served.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void rejectsTooLargePacket() {
        LagbenchException failure = receiver.broken(
                new RunSpec(
                        "run",
                        "udp",
                        65_508,
                        1,
                        0,
                        Pace.flood(),
                        1,
                        Settings.of(FakeReceiver.transport("udp").settings(), Map.of()),
                        new Program("java", JvmOptions.NONE),
                        Observation.DEFAULT,
                        null,
                        Duration.ZERO,
                        Duration.ofSeconds(1)),
                directory);

        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(failure).hasMessageContaining("65507");
    }

    @ParameterizedTest
    @CsvSource({
        "201, 201, 0, 0, 201, 201 packets of 200",
        "200, 190, 5, 0, 200, 200 packets that are not 190 and 5 copies",
        "200, 200, 0, 1, 199, 1 unrecorded packets",
        "200, 200, 0, 0, 10, 10 records of 200 packets",
        "200, 200, 0, 0, 1250, '1250 records, more than a capture of 200 packets holds'",
        "200, 200, 0, 0, 200, an invalid capture",
        "1, 1, 0, 0, 1, a capture with packet 200 of a run of 200 packets",
        "2, 2, 0, 0, 2, a capture of 2 records with another header or length",
        "3, 3, 0, 0, 3, a capture of 3 records with another header or length",
    })
    void rejectsImpossibleResult(
            long received, long distinct, long duplicated, long unrecorded, long records, String problem)
            throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            connection.write(new ControlMessage.Counted(
                    new RunRecord.Counts(received, distinct, duplicated, 0, 0, unrecorded, 0),
                    new RunRecord.Side("host", "boot", "17", Map.of()),
                    records,
                    List.of(),
                    List.of("receiver.npy")));
            ControlMessage next = connection.readUnlessClosed();
            while (next instanceof ControlMessage.Alive) {
                next = connection.readUnlessClosed();
            }
            if (next instanceof ControlMessage.Fetch) {
                CaptureTransfer.send(connection, capture(records));
            }
            return 0L;
        });

        LagbenchException broken =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(10)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(broken).hasMessageContaining("reports what cannot be true: " + problem);
        assertThat(RunRecordFile.read(directory.resolve("run")).state()).isEqualTo(RunRecord.State.BROKEN);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.records()).isEqualTo(FakeReceiver.PACKETS);
        }
    }

    /** Returns a damaged file for each number of records. */
    private Path capture(long records) throws IOException {
        if (records == 1) {
            return captureOf(200);
        } else if (records == 2) {
            return captureWithHeaderOf(9, 0, 1);
        } else if (records == 3) {
            return captureWithHeaderOf(3, 0, 1, 2, 3);
        }
        return Files.createFile(directory.resolve("empty"));
    }

    private Path captureOf(long... sequences) throws IOException {
        Path file = directory.resolve("receiver.npy");
        try (ReceiverCapture capture = ReceiverCapture.create(file, sequences.length, false)) {
            for (long sequence : sequences) {
                capture.append(sequence, 1, 0);
            }
        }
        return file;
    }

    private Path captureWithHeaderOf(int records, long... sequences) throws IOException {
        Path file = captureOf(sequences);
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        return Files.writeString(
                file,
                content.replace("(" + sequences.length + ",)", "(" + records + ",)"),
                StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.2", "239.1.2.3", "localhost.invalid"})
    void sendsNothingToAddressThatReceiverNames(String other) throws Exception {
        try (DatagramChannel elsewhere = DatagramChannel.open()
                .bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), 0))) {
            CompletableFuture<Long> served = receiver.serve(
                    Map.of(
                            "host",
                            other,
                            "port",
                            Integer.toString(elsewhere.socket().getLocalPort())),
                    (connection, none) -> {
                        while (connection.readUnlessClosed() != null) {
                            // waits until the sender gives up
                        }
                        return 0L;
                    });

            LagbenchException refused =
                    receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(10)), directory);

            served.get(60, TimeUnit.SECONDS);
            assertThat(refused.exitCode()).isEqualTo(ExitCode.PEER);
            assertThat(refused).hasMessageContaining("\"" + other + "\"").hasMessageContaining("only to 127.0.0.1");
            elsewhere.configureBlocking(false);
            assertThat(elsewhere.receive(ByteBuffer.allocate(100))).isNull();
        }
    }

    @Test
    @Tag("one-java")
    void breaksRunWhenReceiverFallsSilent() throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            while (connection.readUnlessClosed() != null) {
                // a stopped process, or a network that is gone: nothing is answered
            }
            return 0L;
        });

        LagbenchException broken =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(1)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(broken).hasMessageContaining("The receiver has been silent for 2 s");
        assertThat(RunRecordFile.read(directory.resolve("run")).state()).isEqualTo(RunRecord.State.BROKEN);
    }
}

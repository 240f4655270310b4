package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketLayout;

/** Tests the sender's side of a run with a fake receiver. */
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
        RunRecord record = RunRecord.read(directory.resolve("run"));
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
        RunRecord record = RunRecord.read(directory.resolve("run"));
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
                            new Point(
                                    "tcp",
                                    60_000,
                                    FakeReceiver.PACKETS,
                                    20_000,
                                    Pace.flood(),
                                    TrafficSpec.ONE_WAY,
                                    Settings.of(FakeReceiver.transport("tcp").settings(), Map.of()),
                                    new EngineSpec("java", JvmOptions.NONE),
                                    Set.of(),
                                    RunConditions.of(Duration.ofMillis(100), Duration.ofSeconds(1))),
                            1,
                            null),
                    directory);

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken).hasMessageContaining("the receiver stopped receiving");
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

    @Test
    void waitsForTurnOfProbeLongerThanStallTimeout() throws Exception {
        CompletableFuture<ControlMessage.Offer> served =
                receiver.refuse(new ControlMessage.Refused(Refusal.BUSY, "Busy."), Duration.ofSeconds(6));

        LagbenchException refused =
                receiver.brokenProbe(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(2)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(refused.sentence()).isEqualTo("Busy.");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.PEER);
    }

    @ParameterizedTest
    @EnumSource
    void offersPaceToReceiver(Pace.Mode mode) throws Exception {
        CompletableFuture<ControlMessage.Offer> served =
                receiver.refuse(new ControlMessage.Refused(Refusal.UNAVAILABLE, "No."));
        Pace pace = mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, 1_000_000);

        receiver.broken(FakeReceiver.spec("udp", pace, Duration.ofSeconds(5)), directory);

        assertThat(served.get(60, TimeUnit.SECONDS).point().pace()).isEqualTo(pace);
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
    void sendsRequestedRunOnlyToRequester() throws Exception {
        CompletableFuture<Long> served =
                receiver.serve(Map.of("port", "9", "host", "127.0.0.2"), (connection, none) -> {
                    ControlMessage reply = receiver.await(connection, ControlMessage.class);
                    assertThat(reply).isInstanceOf(ControlMessage.Refused.class);
                    return 0;
                });

        LagbenchException failure =
                receiver.brokenOnRequest(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)), directory);

        assertThat(failure).hasMessageContaining("an address other than its own");
        assertThat(served.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void rejectsTooLargePacket() {
        LagbenchException failure = receiver.broken(
                new RunSpec(
                        "run",
                        new Point(
                                "udp",
                                65_508,
                                1,
                                0,
                                Pace.flood(),
                                TrafficSpec.ONE_WAY,
                                Settings.of(FakeReceiver.transport("udp").settings(), Map.of()),
                                new EngineSpec("java", JvmOptions.NONE),
                                Set.of(),
                                RunConditions.of(Duration.ZERO, Duration.ofSeconds(1))),
                        1,
                        null),
                directory);

        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(failure).hasMessageContaining("65507");
    }

    @Test
    @Tag("one-java")
    void breaksRunWhenReceiverStopsReplying() throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            while (connection.readUnlessClosed() != null) {
                // a stopped process, or a network that is down: nothing is answered
            }
            return 0L;
        });

        LagbenchException broken =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(1)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(broken).hasMessageContaining("The receiver has been silent for 1.5 s");
        assertThat(RunRecord.read(directory.resolve("run")).state()).isEqualTo(RunRecord.State.BROKEN);
    }
}

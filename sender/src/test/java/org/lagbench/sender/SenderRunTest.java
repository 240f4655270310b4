package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.BootId;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Interruption;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.packet.PacketLayout;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** A sender against a receiver that is written here by hand. */
@Timeout(120)
class SenderRunTest {
    private static final int PACKETS = 200;

    @TempDir
    Path directory;

    private ClockGate gate = new ClockGate(Duration.ofMillis(1), Duration.ZERO, false);
    private String receiverBootId = BootId.current();
    private volatile long receiverClockAheadNs;
    private boolean clockIsSetAfterAsking;
    private int timesAsked;
    private ServerSocket control;
    private Endpoint endpoint;

    @BeforeEach
    void listen() throws IOException {
        control = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        endpoint = new Endpoint("127.0.0.1", control.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        control.close();
    }

    @Test
    void sendsTheWarmUpThenTheRecordedPacketsInOrderWithTheStampOfItsCapture() throws Exception {
        long[] sequences = new long[PACKETS];
        long[] stamps = new long[PACKETS];
        CompletableFuture<Long> warmUp = serve((connection, packets) -> {
            await(connection, ControlMessage.Connected.class);
            await(connection, ControlMessage.Begin.class);
            connection.write(new ControlMessage.Begun());
            await(connection, ControlMessage.Done.class);
            ByteBuffer packet = ByteBuffer.allocate(100);
            long before = 0;
            for (int i = 0; i < PACKETS; ) {
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
            connection.close();
            return before;
        });

        LagbenchException broken = broken(spec("udp", Pace.flood(), Duration.ofSeconds(10)));

        assertThat(warmUp.get(60, TimeUnit.SECONDS)).isEqualTo(50);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.records()).isEqualTo(PACKETS);
            for (int i = 0; i < PACKETS; i++) {
                assertThat(sequences[i]).isEqualTo(i);
                assertThat(stamps[i]).isEqualTo(capture.value(i, capture.field("sent_ns")));
                assertThat(capture.value(i, capture.field("returned_ns"))).isGreaterThanOrEqualTo(stamps[i]);
            }
        }
    }

    @Test
    void keepsTheStampsAndSaysSoWhenTheReceiverVanishesInMidRun() throws Exception {
        CompletableFuture<Long> served = serve((connection, packets) -> {
            await(connection, ControlMessage.Connected.class);
            await(connection, ControlMessage.Begin.class);
            connection.write(new ControlMessage.Begun());
            ByteBuffer packet = ByteBuffer.allocate(100);
            do {
                packets.receive(packet.clear());
            } while (PacketLayout.sequence(packet, 0) < 10);
            connection.close();
            return 0L;
        });

        LagbenchException broken = broken(spec("udp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)));

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        RunRecord record = RunRecordFile.read(directory.resolve("run"));
        assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
        assertThat(record.failure()).isEqualTo(broken.sentence());
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.unfinished()).isFalse();
            assertThat(capture.records()).isBetween(10L, (long) PACKETS);
        }
    }

    @Test
    void tellsHowFarItCameWhenTheReceiverWasInterrupted() throws Exception {
        CompletableFuture<Long> served = serve((connection, packets) -> {
            await(connection, ControlMessage.Connected.class);
            await(connection, ControlMessage.Begin.class);
            connection.write(new ControlMessage.Begun());
            ByteBuffer packet = ByteBuffer.allocate(100);
            do {
                packets.receive(packet.clear());
            } while (PacketLayout.sequence(packet, 0) < 10);
            connection.hangUp(new ControlMessage.Refused("The receiver was interrupted", "INTERRUPTED"));
            return 0L;
        });

        LagbenchException broken = broken(spec("udp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)));

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        RunRecord record = RunRecordFile.read(directory.resolve("run"));
        assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            String when = "The receiver was interrupted after " + capture.records() + " of " + PACKETS + " packets";
            assertThat(record.failure()).isEqualTo(when + ".");
            assertThat(broken).hasMessage(when + "; their stamps are kept in " + directory.resolve("run") + ".");
        }
    }

    @Test
    void asksTheReceiverWhyTheConnectionForPacketsBroke() throws Exception {
        try (ServerSocket data = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> served = serve(Map.of("port", Integer.toString(data.getLocalPort())), (c, none) -> {
                try (Socket packets = data.accept()) {
                    packets.setSoLinger(true, 0); // reset, so that the sender's next write fails
                    await(c, ControlMessage.Connected.class);
                    await(c, ControlMessage.Begin.class);
                    c.write(new ControlMessage.Begun());
                    assertThat(packets.getInputStream().readNBytes(24)).hasSize(24); // of 50 that lead in, 10 ms apart
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400)); // the sender meets the reset first
                c.hangUp(new ControlMessage.Refused("The receiver was interrupted", "INTERRUPTED"));
                return 0L;
            });

            LagbenchException broken =
                    broken(spec("tcp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(10)));

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(broken)
                    .hasMessage("The receiver was interrupted before the first recorded packet; nothing was kept.");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void givesUpWhenTheReceiverTakesNoMore() throws Exception {
        try (ServerSocket data = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> served = serve(Map.of("port", Integer.toString(data.getLocalPort())), (c, none) -> {
                try (Socket stalled = data.accept()) {
                    await(c, ControlMessage.Connected.class);
                    assertThat(c.readUnlessClosed()).isNull();
                    return stalled.isClosed() ? 1L : 0L;
                }
            });

            LagbenchException broken = broken(new RunSpec(
                    "run",
                    "tcp",
                    60_000,
                    PACKETS,
                    20_000,
                    Pace.flood(),
                    1,
                    Settings.of(transport("tcp").settings(), Map.of()),
                    Program.DEFAULT,
                    Observation.DEFAULT,
                    null,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1)));

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken).hasMessageContaining("has stopped taking them");
            assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void endsWithTheReceiversReasonAndLeavesNothingWhenRefused() throws Exception {
        CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept())) {
                Handshake.receive(connection, null);
                await(connection, ControlMessage.Offer.class);
                connection.write(new ControlMessage.Refused("The channel is taken.", "UNAVAILABLE"));
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });

        LagbenchException refused = broken(spec("udp", Pace.flood(), Duration.ofSeconds(5)));

        served.get(60, TimeUnit.SECONDS);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.sentence()).isEqualTo("The channel is taken.");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void doesNotBeginWhileTheClocksMayBeFurtherApartThanAllowed() throws Exception {
        receiverBootId = "another kernel";
        receiverClockAheadNs = 50_000_000;
        CompletableFuture<Long> served = serveUntilClosed();

        LagbenchException refused = broken(spec("udp", Pace.flood(), Duration.ofSeconds(5)));

        assertThat(served.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(refused.exitCode()).isEqualTo(ExitCode.CLOCK);
        assertThat(refused)
                .hasMessageMatching("(?s).*: ± ([5-9]\\d|\\d{3,})\\.\\d+ ms .*")
                .hasMessageContaining("allowed ± 1")
                .hasMessageContaining("Nothing keeps the receiver's clock.")
                .hasMessageContaining("--accept-unsynchronized");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void keepsWhatWasAskedOfTheClocksWhenTheyAreTakenAsTheyAre() throws Exception {
        receiverBootId = "another kernel";
        receiverClockAheadNs = 50_000_000;
        gate = new ClockGate(Duration.ofMillis(1), Duration.ZERO, true);
        CompletableFuture<Long> served = serve((connection, packets) -> {
            await(connection, ControlMessage.Connected.class);
            await(connection, ControlMessage.Begin.class);
            connection.write(new ControlMessage.Begun());
            await(connection, ControlMessage.Done.class);
            connection.close();
            return 0L;
        });

        LagbenchException broken = broken(spec("udp", new Pace(Pace.Mode.SLEEP, 10_000_000), Duration.ofSeconds(5)));

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        RunRecord.Clock clock = RunRecordFile.read(directory.resolve("run")).clock();
        assertThat(clock).isNotNull();
        assertThat(clock.accepted()).isTrue();
        assertThat(clock.basis()).isEqualTo(ClockBound.Basis.TWO_WAY);
        assertThat(clock.boundNs()).isBetween(50_000_000L, 1_000_000_000L);
        // 200 packets 10 ms apart take 2 s: asked before, twice or so meanwhile, and after.
        assertThat(clock.twoWay()).hasSizeGreaterThanOrEqualTo(3).allSatisfy(interval -> {
            assertThat(interval.lowerNs()).isLessThanOrEqualTo(50_000_000);
            assertThat(interval.upperNs()).isGreaterThanOrEqualTo(50_000_000);
        });
        try (CaptureReader twoWay = CaptureReader.open(directory.resolve("run/two-way.npy"))) {
            assertThat(twoWay.records()).isGreaterThanOrEqualTo(40);
        }
    }

    @Test
    void forgetsTheClocksAsTheyWereWhileItWaitedForThem() throws Exception {
        receiverBootId = "another kernel";
        receiverClockAheadNs = 50_000_000;
        gate = new ClockGate(Duration.ofMillis(20), Duration.ofSeconds(20), false);
        clockIsSetAfterAsking = true;
        CompletableFuture<Long> served = serve((connection, packets) -> {
            await(connection, ControlMessage.Connected.class);
            await(connection, ControlMessage.Begin.class);
            connection.write(new ControlMessage.Begun());
            await(connection, ControlMessage.Done.class);
            connection.close();
            return 0L;
        });

        broken(spec("udp", Pace.flood(), Duration.ofSeconds(5)));

        served.get(60, TimeUnit.SECONDS);
        try (CaptureReader twoWay = CaptureReader.open(directory.resolve("run/two-way.npy"))) {
            assertThat(twoWay.records()).isGreaterThanOrEqualTo(40);
            for (long i = 0; i < twoWay.records(); i++) {
                assertThat(twoWay.value(i, twoWay.field("replied_ns")))
                        .isLessThanOrEqualTo(twoWay.value(i, twoWay.field("returned_ns")));
            }
        }
    }

    private CompletableFuture<Long> serveUntilClosed() {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept())) {
                Handshake.receive(connection, null);
                await(connection, ControlMessage.Offer.class);
                return 1L;
            } catch (EOFException e) {
                return 0L;
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void namesTheEndpointWhereNobodyListens() throws Exception {
        control.close();

        LagbenchException failure = broken(spec("udp", Pace.flood(), Duration.ofSeconds(5)));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.PEER);
        assertThat(failure).hasMessageContaining(endpoint.toString());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusesAPacketThatTheTransportCannotCarry() {
        LagbenchException failure = broken(new RunSpec(
                "run",
                "udp",
                65_508,
                1,
                0,
                Pace.flood(),
                1,
                Settings.of(transport("udp").settings(), Map.of()),
                Program.DEFAULT,
                Observation.DEFAULT,
                null,
                Duration.ZERO,
                Duration.ofSeconds(1)));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(failure).hasMessageContaining("65507");
    }

    private LagbenchException broken(RunSpec spec) {
        return catchThrowableOfType(LagbenchException.class, () -> new SenderRun(
                        spec,
                        transport(spec.transport()),
                        endpoint,
                        null,
                        directory,
                        gate,
                        ChronyClient.ofThisHost(),
                        StartGate.OPEN,
                        Interruption.never(),
                        false)
                .make());
    }

    private static RunSpec spec(String transport, Pace pace, Duration stallTimeout) {
        return new RunSpec(
                "run",
                transport,
                24,
                PACKETS,
                50,
                pace,
                1,
                Settings.of(transport(transport).settings(), Map.of()),
                Program.DEFAULT,
                Observation.DEFAULT,
                null,
                Duration.ofMillis(100),
                stallTimeout);
    }

    private static Transport transport(String name) {
        try {
            return Transports.load().named(name);
        } catch (LagbenchException e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<Long> serve(Service service) throws IOException {
        DatagramChannel packets = DatagramChannel.open().bind(control.getLocalSocketAddress());
        return serve(Map.of("port", Integer.toString(control.getLocalPort())), (connection, none) -> {
            try (packets) {
                return service.serve(connection, packets);
            }
        });
    }

    private CompletableFuture<Long> serve(Map<String, String> announced, Service service) {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept());
                    DatagramChannel none = DatagramChannel.open()) {
                Handshake.receive(connection, null);
                await(connection, ControlMessage.Offer.class);
                connection.write(new ControlMessage.Accepted(announced, "/nowhere/receiver.npy"));
                return service.serve(connection, none);
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Waits for a message and answers what is asked of the clock meanwhile. */
    private <T extends ControlMessage> T await(ControlConnection connection, Class<T> type) throws IOException {
        while (true) {
            ControlMessage message = connection.read();
            if (message instanceof ControlMessage.AskClock) {
                if (clockIsSetAfterAsking && ++timesAsked == 2) {
                    receiverClockAheadNs = 0;
                }
                connection.write(new ControlMessage.ClockIs(new ClockState(
                        RealtimeClock.nowNs() + receiverClockAheadNs,
                        receiverBootId,
                        ClockState.Source.NO_DAEMON,
                        null,
                        null,
                        "Nothing keeps the receiver's clock.")));
            } else if (message instanceof ControlMessage.Ping ping) {
                long nowNs = RealtimeClock.nowNs() + receiverClockAheadNs;
                connection.write(new ControlMessage.Pong(ping.sentNs(), nowNs, nowNs));
            } else {
                return ControlConnection.expect(message, type);
            }
        }
    }

    private interface Service {
        long serve(ControlConnection connection, DatagramChannel packets) throws IOException;
    }
}

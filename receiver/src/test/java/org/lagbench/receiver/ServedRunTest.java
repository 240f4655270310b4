package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.lagbench.receiver.ReceiverUnderTest.beginRun;
import static org.lagbench.receiver.ReceiverUnderTest.foreignPacket;
import static org.lagbench.receiver.ReceiverUnderTest.packet;

import java.io.EOFException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.FileExchange;
import org.lagbench.control.RefusedException;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.KernelIdentity;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.timeseries.ReceivedInterval;
import org.lagbench.packetio.transport.PacketLayout;

/** Tests one run of a receiver with a fake sender. */
class ServedRunTest {
    @TempDir
    Path directory;

    private ReceiverUnderTest receiver;

    @BeforeEach
    void start() throws LagbenchException {
        receiver = new ReceiverUnderTest(directory, Long.MAX_VALUE, ReceiverUnderTest.NO_SENDERS);
    }

    @AfterEach
    void stop() throws Exception {
        receiver.close();
    }

    @Test
    void countsPacketsAndKeepsArrivalOrder() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 5)) {
            for (long sequence : new long[] {0, 2, 1, 1, 4, -2, -1}) {
                packets.write(packet(sequence));
            }
            packets.write(foreignPacket(3));
            connection.write(new ControlMessage.Done(5));
            ControlMessage.Counted counted = connection.read(ControlMessage.Counted.class);

            assertThat(counted.counts().received()).isEqualTo(5);
            assertThat(counted.counts().distinct()).isEqualTo(4);
            assertThat(counted.counts().duplicated()).isEqualTo(1);
            assertThat(counted.counts().reordered()).isEqualTo(1);
            assertThat(counted.counts().foreign()).isEqualTo(1);
            assertThat(counted.counts().kernelDrops()).isZero();
            assertThat(counted.captureRecords()).isEqualTo(5);
            Files.writeString(directory.resolve("run/sender.npy"), "of a sender on this host");
            connection.write(new ControlMessage.Fetch("sender.npy"));
            assertThatThrownBy(connection::read).isInstanceOf(EOFException.class);
            assertThat(counted.side().metadata())
                    .hasEntrySatisfying("packetThreadCpuNs", cpuNs -> assertThat(((Number) cpuNs).longValue())
                            .isPositive());
        }
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
            int field = capture.field("seq");
            assertThat(new long[] {
                        capture.value(0, field),
                        capture.value(1, field),
                        capture.value(2, field),
                        capture.value(3, field),
                        capture.value(4, field)
                    })
                    .containsExactly(0, 2, 1, 1, 4);
        }
    }

    /** A datagram does not prove its source: replies to it could flood a third host. */
    @Test
    void answersOnlyHostOfControlConnection() throws Exception {
        ControlMessage.Offer offer =
                ReceiverUnderTest.offer("udp", "run", 5, ReceiverUnderTest.PACKET_BYTES, Traffic.ROUND_TRIP);
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, offer, false);
                DatagramChannel third = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.2", 0))) {
            third.send(packet(0), packets.getRemoteAddress());
            packets.write(packet(1));
            ByteBuffer reply = ByteBuffer.allocate(ReceiverUnderTest.PACKET_BYTES);
            packets.socket().setSoTimeout(30_000); // no reply comes if one went to the third host
            packets.socket().receive(new DatagramPacket(reply.array(), reply.capacity()));

            assertThat(PacketLayout.sequence(reply, 0)).isEqualTo(1);
            third.configureBlocking(false); // a reply to the first packet would be there
            assertThat(third.receive(ByteBuffer.allocate(1))).isNull();
        }
    }

    @Test
    void sendsIntervalsToWatchingSender() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 6, true)) {
            for (long sequence : new long[] {0, 2, 1, 1, 4}) {
                packets.write(packet(sequence));
            }
            ReceivedInterval first =
                    connection.read(ControlMessage.Interval.class).received();
            assertThat(first.last()).isFalse();
            assertThat(first.received()).isEqualTo(5);
            assertThat(first.expected()).isEqualTo(5);
            assertThat(first.lost()).isEqualTo(1);
            assertThat(first.late()).isZero();
            assertThat(first.durationNs()).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
            packets.write(packet(3));
            connection.write(new ControlMessage.Done(6));
            ReceivedInterval last =
                    connection.read(ControlMessage.Interval.class).received();
            assertThat(last.last()).isTrue();
            assertThat(last.received()).isEqualTo(1);
            assertThat(last.expected()).isEqualTo(1);
            assertThat(last.lost()).isEqualTo(1);
            assertThat(last.late()).isEqualTo(1);
            connection.read(ControlMessage.Counted.class);
        }
    }

    @Test
    void transfersAllFilesToSender() throws Exception {
        Path fetched = Files.createDirectory(directory.resolve("fetched"));
        Path observed = directory.resolve("run/receiver-events.npy");
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1)) {
            packets.write(packet(0));
            Files.writeString(observed, "observed");
            Files.writeString(directory.resolve("run/sender.npy"), "the sender's");
            connection.write(new ControlMessage.Done(1));
            assertThat(connection.read(ControlMessage.Counted.class).files())
                    .containsExactly("receiver-events.npy", "receiver.npy");
            FileExchange.receive(connection, fetched.resolve("receiver-events.npy"), 1 << 20, Duration.ofSeconds(60));
            FileExchange.receive(connection, fetched.resolve("receiver.npy"), 1 << 20, Duration.ofSeconds(60));
        }

        assertThat(fetched.resolve("receiver.npy")).hasSameBinaryContentAs(directory.resolve("run/receiver.npy"));
        assertThat(fetched.resolve("receiver-events.npy")).hasSameBinaryContentAs(observed);
    }

    @Test
    void addsChecksumsIfSenderIsOnAnotherHost() throws Exception {
        Path run = directory.resolve("run");
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1)) {
            packets.write(packet(0));
            connection.write(new ControlMessage.Done(1));
            connection.read(ControlMessage.Counted.class);
            connection.write(new ControlMessage.Fetch("receiver.npy"));
            connection.read(ControlMessage.Capture.class);
        }

        Checksums checksums = Checksums.read(run);
        assertThat(checksums.files()).containsOnlyKeys("receiver.npy");
        assertThat(checksums.damage(run)).isEmpty();
    }

    @Test
    void keepsStampsWhenSenderDies() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            for (int sequence = 0; sequence < 10; sequence++) {
                packets.write(packet(sequence));
            }
            await().atMost(60, TimeUnit.SECONDS).until(() -> {
                try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
                    return capture.records() == 10;
                }
            });
        }

        await().atMost(60, TimeUnit.SECONDS).until(() -> {
            try (CaptureReader capture = CaptureReader.open(directory.resolve("run/receiver.npy"))) {
                return !capture.unfinished() && capture.records() == 10;
            }
        });
    }

    @Test
    void deletesFilesWhenSenderDiesBeforeFirstPacket() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            assertThat(packets.isConnected()).isTrue();
            assertThat(directory.resolve("run/receiver.npy")).exists();
        }

        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(directory).isEmptyDirectory());
    }

    @Test
    void notifiesSenderOfInterruption() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1_000)) {
            assertThat(packets.isConnected()).isTrue();
            receiver.server().interrupt(new ControlMessage.Refused(ControlMessage.Refusal.INTERRUPTED, "Interrupted"));

            assertThatThrownBy(() -> connection.read(ControlMessage.Counted.class))
                    .isInstanceOfSatisfying(RefusedException.class, refused -> assertThat(refused.asFailure())
                            .hasMessage("Interrupted")
                            .extracting(LagbenchException::exitCode)
                            .isEqualTo(ExitCode.INTERRUPTED));
            assertThat(connection.readUnlessClosed()).isNull();
        }
    }

    @Test
    void answersClockRequests() throws Exception {
        try (ControlConnection connection = receiver.connect();
                DatagramChannel packets = beginRun(connection, "run", 1)) {
            connection.write(new ControlMessage.Ping(7));
            ControlMessage.Pong pong = connection.read(ControlMessage.Pong.class);
            connection.write(new ControlMessage.Ask(ControlMessage.Question.CLOCK));
            ControlMessage.ClockIs clock = connection.read(ControlMessage.ClockIs.class);
            packets.write(packet(0));
            connection.write(new ControlMessage.Done(1));

            assertThat(pong.sentNs()).isEqualTo(7);
            assertThat(pong.repliedNs()).isGreaterThanOrEqualTo(pong.receivedNs());
            assertThat(clock.state().bootId()).isEqualTo(KernelIdentity.bootId());
            assertThat(connection.read(ControlMessage.Counted.class).clockSteps())
                    .isEmpty();
        }
    }
}

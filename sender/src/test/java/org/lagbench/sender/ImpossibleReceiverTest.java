package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.FileExchange;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRecord;

/** Receivers that report impossible counts or files, or announce another host for the packets. */
class ImpossibleReceiverTest {
    private final Path directory;

    @AutoClose
    private final FakeReceiver receiver = new FakeReceiver();

    ImpossibleReceiverTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
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
        "2, 2, 0, 0, 2, a capture whose header or length does not fit its 2 records",
        "3, 3, 0, 0, 3, a capture whose header or length does not fit its 3 records",
        "4, 4, 0, 0, 4, a capture with packet 0 received at 4611686018427387904 ns",
        "5, 5, 0, 0, 5, a capture with packet 0 received at 1 ns",
    })
    void rejectsImpossibleResult(
            long received, long distinct, long duplicated, long unrecorded, long records, String problem)
            throws Exception {
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            connection.write(new ControlMessage.Counted(
                    new RunRecord.Counts(received, distinct, duplicated, 0, 0, unrecorded, 0, null),
                    new RunRecord.Side("host", "boot", "17", Map.of()),
                    records,
                    List.of(),
                    List.of(),
                    List.of("receiver.npy")));
            ControlMessage next = connection.readUnlessClosed();
            while (next instanceof ControlMessage.Alive) {
                next = connection.readUnlessClosed();
            }
            if (next instanceof ControlMessage.Fetch) {
                FileExchange.send(connection, capture(records));
            }
            return 0L;
        });

        LagbenchException broken =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(10)), directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(broken).hasMessageContaining("reported an impossible result: " + problem);
        assertThat(RunRecord.read(directory.resolve("run")).state()).isEqualTo(RunRecord.State.BROKEN);
        try (CaptureReader capture = CaptureReader.open(directory.resolve("run/sender.npy"))) {
            assertThat(capture.records()).isEqualTo(FakeReceiver.PACKETS);
        }
    }

    /** A NAT that forgets a connection drops its packets without a report. */
    @ParameterizedTest
    @CsvSource({"0, None of the 200 packets", "199, Only 199 of the 200 packets"})
    void failsRunOverTcpThatIsNotDeliveredWhole(long arrived, String problem) throws Exception {
        try (ServerSocket data = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> served =
                    receiver.serve(Map.of("port", Integer.toString(data.getLocalPort())), (connection, none) -> {
                        receiver.begin(connection);
                        receiver.await(connection, ControlMessage.Done.class);
                        connection.write(new ControlMessage.Counted(
                                new RunRecord.Counts(arrived, arrived, 0, 0, 0, 0, 0, null),
                                new RunRecord.Side("host", "boot", "17", Map.of()),
                                arrived,
                                List.of(),
                                List.of(),
                                List.of("receiver.npy")));
                        return 0L;
                    });

            LagbenchException broken =
                    receiver.broken(FakeReceiver.spec("tcp", Pace.flood(), Duration.ofSeconds(10)), directory);

            served.get(60, TimeUnit.SECONDS);
            assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
            assertThat(broken).hasMessageContaining(problem);
        }
    }

    /** Returns a damaged file; the number of records chooses the damage. */
    private Path capture(long records) throws IOException {
        if (records == 1) {
            return captureOf(1, 200);
        } else if (records == 2) {
            return captureWithHeaderOf(9, 0, 1);
        } else if (records == 3) {
            return captureWithHeaderOf(3, 0, 1, 2, 3);
        } else if (records == 4) {
            return captureOf(1L << 62, 0, 1, 2, 3);
        } else if (records == 5) {
            return captureOf(1, 0, 1, 2, 3, 4);
        }
        return Files.createFile(directory.resolve("empty"));
    }

    private Path captureOf(long receivedNs, long... sequences) throws IOException {
        Path file = directory.resolve("receiver.npy");
        try (ReceiverCapture capture = ReceiverCapture.create(file, sequences.length, false)) {
            for (long sequence : sequences) {
                capture.append(sequence, receivedNs, 0);
            }
        }
        return file;
    }

    private Path captureWithHeaderOf(int records, long... sequences) throws IOException {
        Path file = captureOf(1, sequences);
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
}

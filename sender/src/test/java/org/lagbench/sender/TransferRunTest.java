package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.lagbench.core.run.TransferSpec;

/** Transfers to a receiver that does not answer. */
@Tag("one-java")
class TransferRunTest {
    private static final int PIECES = 4;

    private final Path directory;

    @AutoClose
    private final FakeReceiver receiver = new FakeReceiver();

    TransferRunTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keepsStampsOfUnansweredTransfer(boolean staysConnected) throws Exception {
        try (ServerSocketChannel listening =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String port = Integer.toString(listening.socket().getLocalPort());
            CompletableFuture<Long> served = receiver.serve(Map.of("port", port), (control, none) -> {
                receiver.begin(control);
                readToEnd(listening.accept()); // the connection of the warm-up, which has no packets
                try (SocketChannel packets = listening.accept()) {
                    for (int read = 0; read < PIECES * 1024; ) {
                        read += packets.read(ByteBuffer.allocate(PIECES * 1024));
                    }
                    if (staysConnected) {
                        receiver.readUntilClosed(control);
                    }
                    return 0L;
                }
            });

            LagbenchException broken = receiver.broken(spec(), directory);

            assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
            served.get(60, TimeUnit.SECONDS);
        }
        RunRecord record = RunRecord.read(directory.resolve("run"));
        assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
        assertThat(record.point().traffic().transfer()).isEqualTo(new TransferSpec(PIECES * 1024, 1, false));
        try (CaptureReader pieces = CaptureReader.open(directory.resolve("run/sender.npy"));
                CaptureReader states = CaptureReader.open(directory.resolve("run/sender-tcp.npy"));
                CaptureReader transfers = CaptureReader.open(directory.resolve("run/sender-transfers.npy"))) {
            assertThat(pieces.records()).isEqualTo(PIECES);
            assertThat(states.records()).isPositive();
            assertThat(transfers.records()).isZero();
        }
    }

    private static void readToEnd(SocketChannel connection) throws IOException {
        try (connection) {
            while (connection.read(ByteBuffer.allocate(64)) >= 0) {
                // discards what it has read
            }
        }
    }

    private static RunSpec spec() {
        return new RunSpec(
                "run",
                new Point(
                        "tcp",
                        1024,
                        PIECES,
                        0,
                        Pace.flood(),
                        TrafficSpec.of(new TransferSpec(PIECES * 1024, 1, false)),
                        Settings.of(FakeReceiver.transport("tcp").settings(), Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.of(Duration.ofMillis(100), Duration.ofSeconds(1))),
                1,
                null);
    }
}

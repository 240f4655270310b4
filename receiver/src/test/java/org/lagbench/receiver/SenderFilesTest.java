package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.FileExchange;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;

/** Copies the files of a sender on another host, which may report anything. */
class SenderFilesTest {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    @TempDir
    private Path directory;

    @Test
    void copiesStampsFromWithinRun() throws Exception {
        assertThat(fetch(0).resolve(RunRecord.FILE_NAME)).exists();
    }

    @Test
    void refusesStampsFromOutsideOfRun() {
        assertThatThrownBy(() -> fetch(HOUR_NS))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("reported something impossible: record 0 has a packet sent at ");
        assertThat(directory.resolve("received/run").resolve(RunRecord.FILE_NAME))
                .doesNotExist();
    }

    /** Copies the files of a sender whose stamps are later than its message, and returns their directory. */
    private Path fetch(long laterNs) throws Exception {
        ControlMessage.Offer offer = ReceiverUnderTest.offer("udp", "run", 1, ReceiverUnderTest.PACKET_BYTES);
        Path sent = Files.createDirectory(directory.resolve("sent"));
        long nowNs = RealtimeClock.nowNs();
        try (SenderCapture capture = SenderCapture.create(sent.resolve(SenderCapture.FILE_NAME), 1, false)) {
            capture.append(0, nowNs + laterNs, nowNs + laterNs, nowNs + laterNs);
        }
        RunRecord.Side side = RunRecord.Side.ofThisHost(Map.of());
        new RunRecord(
                        offer.run(),
                        "UDP/IP",
                        RunRecord.State.COMPLETE,
                        null,
                        Instant.parse("2026-03-14T10:15:00Z"),
                        Instant.parse("2026-03-14T10:15:02Z"),
                        side,
                        side,
                        new RunRecord.Counts(1, 1, 0, 0, 0, 0, 0, null),
                        null,
                        null,
                        null)
                .write(sent);
        RunFiles files = RunFiles.create(directory.resolve("received"), offer);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ControlConnection sender =
                        ControlConnection.ofSender(new Socket(listening.getInetAddress(), listening.getLocalPort()))) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(sender, nowNs, sent));
            try (ControlConnection connection = ControlConnection.ofReceiver(listening.accept());
                    ControlSession session = new ControlSession(connection, LocalEnd.ANY, ReceiverUnderTest.CHRONY)) {
                files.fetch(session);
            } finally {
                sending.get(60, TimeUnit.SECONDS);
            }
        }
        return files.directory();
    }

    private static void send(ControlConnection sender, long nowNs, Path files) {
        try {
            sender.write(new ControlMessage.Ping(nowNs));
            sender.write(new ControlMessage.Recorded(List.of(SenderCapture.FILE_NAME, RunRecord.FILE_NAME)));
            sender.read(ControlMessage.Pong.class);
            new FileExchange(sender, files, null, 1 << 20, Duration.ofSeconds(60)).serve(RunFileNames::isSenders);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureTransferTest {
    @TempDir
    Path directory;

    private Socket receiverSocket;
    private ControlConnection sender;
    private ControlConnection receiver;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            sender = ControlConnection.ofSender(new Socket(server.getInetAddress(), server.getLocalPort()));
            receiverSocket = server.accept();
            receiver = ControlConnection.ofReceiver(receiverSocket);
        }
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        receiver.close();
    }

    @Test
    void transfersCapture() throws Exception {
        byte[] content = new byte[1_000_003];
        new Random(2).nextBytes(content);
        Path original = Files.write(directory.resolve("original"), content);
        CompletableFuture<@Nullable Throwable> sending = inBackground(() -> {
            receiver.read(ControlMessage.Fetch.class);
            FileExchange.send(receiver, original);
        });

        FileExchange.receive(sender, directory.resolve("receiver.npy"), 1 << 20, Duration.ofSeconds(60));

        assertThat(sending.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(directory.resolve("receiver.npy")).hasBinaryContent(content);
    }

    @Test
    void leavesNoFileOfTruncatedTransfer() throws Exception {
        CompletableFuture<@Nullable Throwable> sending = inBackground(() -> {
            receiver.read(ControlMessage.Fetch.class);
            receiver.write(new ControlMessage.Capture(1_000, "00"));
            receiverSocket.getOutputStream().write(new byte[10]);
            receiver.close();
        });

        assertThatThrownBy(() -> FileExchange.receive(
                        sender, directory.resolve("receiver.npy"), 1 << 20, Duration.ofSeconds(60)))
                .isInstanceOf(EOFException.class);
        sending.get(60, TimeUnit.SECONDS);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void rejectsFileThatIsTooLarge() throws Exception {
        receiver.write(new ControlMessage.Capture(Long.MAX_VALUE, "00"));
        receiver.close(); // ends a read that has no limit

        assertThatThrownBy(() -> FileExchange.receive(
                        sender, directory.resolve("receiver.npy"), 1 << 20, Duration.ofSeconds(60)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("9223372036854775807 bytes");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void closesConnectionOfPeerThatReadsNoFile() throws Exception {
        Path large = Files.write(directory.resolve("large"), new byte[32 << 20]);
        try (Heartbeat heartbeat = new Heartbeat(receiver, Duration.ofMillis(400))) {
            heartbeat.quiet();

            assertThatThrownBy(() -> FileExchange.send(receiver, large)).isInstanceOf(IOException.class);
        }
    }

    private static CompletableFuture<@Nullable Throwable> inBackground(ThrowingCallable work) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(work), task -> new Thread(task, "background").start());
    }
}

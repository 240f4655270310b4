package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class FileExchangeTest {
    @TempDir
    Path directory;

    @TempDir
    Path peerDirectory;

    private ControlConnection copying;
    private ControlConnection serving;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            copying = ControlConnection.ofSender(new Socket(server.getInetAddress(), server.getLocalPort()));
            serving = ControlConnection.ofReceiver(server.accept());
        }
    }

    @AfterEach
    void close() throws IOException {
        copying.close();
        serving.close();
    }

    @Test
    void copiesFilesUntilClosed() throws Exception {
        Files.writeString(peerDirectory.resolve("receiver-a.npy"), "a");
        Files.writeString(peerDirectory.resolve("receiver-b.npy"), "b");
        CompletableFuture<@Nullable Throwable> served = inBackground(() -> peer().serve(name -> true));
        BestEffortFiles sideFiles = new BestEffortFiles(directory);

        copying.write(new ControlMessage.Alive());
        exchange(null).fetch("receiver-a.npy");
        exchange(null).fetch(List.of("receiver-b.npy"), sideFiles);
        copying.close();

        assertThat(served.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(directory.resolve("receiver-a.npy")).hasContent("a");
        assertThat(directory.resolve("receiver-b.npy")).hasContent("b");
        sideFiles.throwIfMissing();
    }

    @Test
    void copiesNoFileThatIsInTheSameDirectory() throws Exception {
        Path file = Files.writeString(directory.resolve("receiver-a.npy"), "a");
        copying.close(); // a request of a copy would fail

        exchange(directory).fetch("receiver-a.npy");

        assertThat(file).hasContent("a");
    }

    @Test
    void servesOnlyItsOwnFiles() throws Exception {
        copying.write(new ControlMessage.Fetch("receiver-other.npy"));

        assertThatThrownBy(() -> peer().serve("receiver.npy"::equals))
                .isInstanceOf(IOException.class)
                .hasMessage("the sender requested receiver-other.npy, which is not a file of the run");
    }

    @Test
    void recordsMissingSideFilesInMetadata() throws Exception {
        Files.writeString(peerDirectory.resolve("receiver-a.npy"), "a");
        CompletableFuture<@Nullable Throwable> served = inBackground(() -> {
            serving.read(ControlMessage.Fetch.class);
            FileExchange.send(serving, peerDirectory.resolve("receiver-a.npy"));
            serving.close();
        });
        BestEffortFiles sideFiles = new BestEffortFiles(directory);

        exchange(null).fetch(List.of("receiver-a.npy", "receiver-b.npy", "receiver-c.npy"), sideFiles);

        assertThat(served.get(60, TimeUnit.SECONDS)).isNull();
        Map<String, Object> metadata = new HashMap<>();
        sideFiles.putMetadata(metadata);
        assertThat(BestEffortFiles.missing(metadata)).containsOnlyKeys("receiver-b.npy", "receiver-c.npy");
    }

    @Test
    void reportsWrongChecksumAsViolation() throws Exception {
        serving.write(new ControlMessage.Capture(0, "00"), Files.createFile(peerDirectory.resolve("empty")));

        LagbenchException failure = catchThrowableOfType(LagbenchException.class, () -> exchange(null)
                .fetch(List.of("receiver-a.npy"), new BestEffortFiles(directory)));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(failure).hasMessage("The receiver at " + copying.peer() + " sent a file with a wrong SHA-256.");
    }

    @Test
    void writesToNoLink() throws Exception {
        Path other = Files.writeString(peerDirectory.resolve("other"), "of another user");
        Files.createSymbolicLink(directory.resolve("receiver-a.npy.partial"), other);
        Files.writeString(peerDirectory.resolve("receiver-a.npy"), "a");
        CompletableFuture<@Nullable Throwable> served = inBackground(() -> peer().serve(name -> true));

        exchange(null).fetch("receiver-a.npy");
        copying.close();

        assertThat(served.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(other).hasContent("of another user");
        assertThat(directory.resolve("receiver-a.npy")).hasContent("a").isRegularFile();
    }

    @Test
    void distinguishesOwnDiskFromPeer() throws Exception {
        Files.createDirectory(directory.resolve("receiver-a.npy.partial")); // so the copy cannot be created
        Files.createFile(directory.resolve("receiver-a.npy.partial/file"));
        serving.write(new ControlMessage.Capture(0, "00"));

        assertThat(exitCodeOfFetch()).isEqualTo(ExitCode.FILES);
        serving.close();
        assertThat(exitCodeOfFetch()).isEqualTo(ExitCode.BROKEN);
    }

    private ExitCode exitCodeOfFetch() {
        return catchThrowableOfType(
                        LagbenchException.class, () -> exchange(null).fetch("receiver-a.npy"))
                .exitCode();
    }

    private FileExchange exchange(@Nullable Path original) {
        return new FileExchange(copying, directory, original, 1 << 20, Duration.ofSeconds(60));
    }

    private FileExchange peer() {
        return new FileExchange(serving, peerDirectory, null, 1 << 20, Duration.ofSeconds(60));
    }

    private static CompletableFuture<@Nullable Throwable> inBackground(ThrowingCallable work) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(work), task -> new Thread(task, "background").start());
    }
}

package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.EngineEndedException;

/** Tests the reports of a lagbench-engine that ends early; scripts replace it. */
class NativeProcessTest {
    @TempDir
    private Path directory;

    /**
     * Ctrl-C and SIGTERM also reach lagbench-engine. Before it ignores them, they end it. Here a script exits with the
     * code that a shell gives a program ended by SIGHUP, SIGINT, SIGTERM or SIGKILL. A real signal may have no effect:
     * the test inherits ignored signals from its parent.
     */
    @ParameterizedTest
    @CsvSource({"129, INTERRUPTED", "130, INTERRUPTED", "143, INTERRUPTED", "137, PEER"})
    void treatsAnEarlySignalAsAnInterruption(int code, ExitCode expected) throws Exception {
        Path program = program("exit " + code);
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        try (SenderCapture capture = SenderCapture.create(file, 1, false);
                NativeSendEngine sender = new NativeSendEngine(
                        program, runs.side(100, Map.of()).file(file).build(), List.of(), capture, null, null)) {
            assertThatThrownBy(() -> sender.connect(Map.of("port", "9")))
                    .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                            .isEqualTo(expected));
        }
    }

    /** Then the sender need not wait for the receiver to explain it. */
    @Test
    void reportsProgramThatEndedOnThisHost() throws Exception {
        Path program = program("read tag; echo ready $$; read command; exit 137");
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        try (SenderCapture capture = SenderCapture.create(file, 1, false);
                NativeSendEngine sender = new NativeSendEngine(
                        program, runs.side(100, Map.of()).file(file).build(), List.of(), capture, null, null)) {
            sender.connect(Map.of("port", "9"));

            assertThatThrownBy(() -> sender.send(0, 1, Pace.flood()))
                    .isInstanceOf(EngineEndedException.class)
                    .hasMessageContaining("ended during the run");
        }
    }

    @Test
    void namesDiskOfSenderThatIsFull() throws Exception {
        Path program = program("read tag; echo ready $$; read command; echo capture-failed No space left on device");
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        SenderCapture capture = SenderCapture.create(file, 1, false);
        try (NativeSendEngine sender = new NativeSendEngine(
                program, runs.side(100, Map.of()).file(file).build(), List.of(), capture, null, null)) {
            sender.connect(Map.of("port", "9"));

            assertThatThrownBy(() -> sender.send(0, 1, Pace.flood()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file + ": No space left on device, on ");
        }
        assertThatThrownBy(capture::close).hasMessageContaining("No space left on device");
    }

    @Test
    void namesDiskOfReceiverThatIsFull() throws Exception {
        Path program = program("echo port 9; echo ready $$; echo capture-failed No space left on device");
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("receiver.npy");
        CompletableFuture<String> failure = new CompletableFuture<>();
        ReceiverCapture capture = ReceiverCapture.create(file, 1, false);
        try (NativeReceiveEngine receiver = new NativeReceiveEngine(
                program, runs.side(100, Map.of()).file(file).build(), List.of(), capture, failure::complete)) {
            assertThat(failure.get(60, TimeUnit.SECONDS))
                    .startsWith("The capture cannot be written: " + file + ": No space left on device, on ");
            assertThat(capture.failure()).isNotNull();
            assertThat(receiver.isDrained()).isFalse();
        }
        assertThatThrownBy(capture::close).hasMessageContaining("No space left on device");
    }

    private Path program(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
}

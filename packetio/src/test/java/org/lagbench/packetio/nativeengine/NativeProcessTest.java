package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Programs in place of the c engine that do not get ready. */
@Timeout(120)
class NativeProcessTest {
    @TempDir
    private Path directory;

    /**
     * Ctrl-C and SIGTERM reach the process too, which ignores them once it runs. The test's program exits with the code
     * of an end by SIGHUP, SIGINT, SIGTERM or SIGKILL, because the test's parent may have made it ignore the signals.
     */
    @ParameterizedTest
    @CsvSource({"129, INTERRUPTED", "130, INTERRUPTED", "143, INTERRUPTED", "137, PEER"})
    void treatsAnEarlySignalAsAnInterruption(int code, ExitCode expected) throws Exception {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\nexit " + code + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        try (SenderCapture capture = SenderCapture.create(file, 1, false);
                NativeSendEngine sender =
                        new NativeSendEngine(program, runs.config(runs.run(100, Map.of()), 1, 0, file), capture)) {
            assertThatThrownBy(() -> sender.connect(Map.of("port", "9")))
                    .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                            .isEqualTo(expected));
        }
    }
}

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Checks the compilation logs of the sender's and the receiver's JVM. */
@Isolated
class PacketCompilationTest {
    /** In a warm-up of this length, the compiler compiles any loop with one iteration per 16 packets. */
    private static final String LONG_WARM_UP =
            """
            name: long-warm-up
            observe: nothing
            transports: [udp]
            packet-bytes: 100
            packets: 20000
            warm-up-packets: 150000
            pace: {mode: flood}
            drain: 100ms
            """;

    @TempDir
    Path directory;

    @Test
    void excludesOutermostLoopsFromCompilation() throws Exception {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        String logged = "JDK_JAVA_OPTIONS=-Xlog:jit+compilation=debug:file=" + logs + "/%p.log";
        Files.writeString(directory.resolve("experiment.yaml"), LONG_WARM_UP);
        try (LagbenchProcess sweep =
                LagbenchProcess.startBy(List.of("env", logged), directory, "sweep", "experiment.yaml")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        assertThat(compiled(logs))
                .contains("SendLoop::sendSome ", "ReceiveLoop::receiveSome ")
                .doesNotContain("SendLoop::send ", "ReceiveLoop::receiveAll ");
    }

    private static String compiled(Path logs) throws IOException {
        try (Stream<Path> files = Files.list(logs)) {
            return files.map(PacketCompilationTest::text).collect(Collectors.joining());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

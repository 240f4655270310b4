package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** A run releases all resources. */
class SocketResourcesTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final Path directory;

    SocketResourcesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, CHANNELS, 1",
        "tcp, SYSTEM_CALLS, 1",
        "udp, CHANNELS, 1",
        "udp, SYSTEM_CALLS, 1",
        "udp, SYSTEM_CALLS, 8"
    })
    void releasesEveryFileDescriptor(String transport, SocketApi socketApi, String batch) throws Exception {
        assumeTrue(Files.isDirectory(DESCRIPTORS));
        useAndClose(transport, socketApi, batch);
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            useAndClose(transport, socketApi, batch);
        }
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(before));
    }

    private void useAndClose(String transport, SocketApi socketApi, String batch) throws Exception {
        try (LoopbackRun run = run(transport, socketApi, batch)) {
            run.startReceiving().connect().send(0, 10);
            run.awaitReceived();
        }
        try (LoopbackRun run = run(transport, socketApi, batch)) {
            run.startReceiving(); // closed while it waits for the sender
        }
        try (LoopbackRun run = run(transport, socketApi, batch)) {
            run.startReceiving().connect().send(0, 1); // closed while it waits for the next packet
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(() -> run.accounting.received() == 1);
        }
        run(transport, socketApi, batch).close(); // closed before it is used
        if (transport.equals("tcp")) {
            try (LoopbackRun run = run(transport, socketApi, batch);
                    Socket stranger = new Socket(InetAddress.getLoopbackAddress(), run.port())) {
                run.startReceiving();
                stranger.getOutputStream().write(1); // closed while a stranger is connected
            }
        }
    }

    private LoopbackRun run(String transport, SocketApi socketApi, String batch) throws Exception {
        return new LoopbackRun(directory, transport, "127.0.0.1", 24, 10, 0, Map.of("batch", batch), socketApi);
    }

    /**
     * Returns the number of open files without those of the JVM: jars, which it opens when it first loads a class of
     * them, and pipes to processes.
     */
    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.map(SocketResourcesTest::target)
                    .filter(file -> !file.endsWith(".jar") && !file.startsWith("pipe:"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "pipe: closed since"; // such as the descriptor for listing the directory
        }
    }
}

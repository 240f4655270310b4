package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.recorder.PacketThread;

/** Which thread receives the packets is known before the first one, where an interface calls the receiver. */
class ReceivingThreadTest {
    @TempDir
    private Path directory;

    /** The JVM shortens names of threads to 15 characters. */
    @ParameterizedTest
    @CsvSource({
        "netty, tcp, '', '', netty-loop",
        "netty, udp, '', '', netty-loop",
        "quic, udp, '', '', netty-loop",
        "quic, udp, delivery, datagram, netty-loop",
        "grpc, tcp, '', '', grpc-receiver",
        "rmi, tcp, '', '', RMI TCP"
    })
    void isKnownWhenTheSenderHasConnected(
            String engine, String transport, String setting, String value, String expected) throws Exception {
        InterfaceRun.assumeAvailable(engine, transport);
        Map<String, String> settings = setting.isEmpty() ? Map.of() : Map.of(setting, value);
        try (InterfaceRun run = InterfaceRun.open(directory, engine, transport, settings, 100, 1, 0, 0)) {
            PacketThread thread = run.connect().receiver.awaitThread();
            assertThat(thread).isNotNull();
            assertThat(thread.directory().resolve("comm")).content().startsWith(expected);
        }
    }
}

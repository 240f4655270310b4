package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.run.Pace;

/** A program of the peer's host sends a damaged handshake to the port of a QUIC receiver. */
class QuicHandshakeTest {
    private static final int PACKETS = 20;
    private static final Logger NETTY = Logger.getLogger("io.netty");

    private final List<String> printed = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"stream", "datagram"})
    void damagedOnePrintsNothingAndDisturbsNoRun(String delivery) throws Exception {
        Handler log = new Handler() {
            @Override
            public void publish(LogRecord record) {
                printed.add(record.getLevel() + ": " + record.getMessage() + ", " + record.getThrown());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        NETTY.addHandler(log);
        try (InterfaceRun run =
                InterfaceRun.open(directory, "quic", "udp", Map.of("delivery", delivery), 100, PACKETS, 2, 16)) {
            byte[] damaged = DamagedHandshake.datagram();
            try (DatagramSocket stranger = new DatagramSocket()) {
                stranger.send(
                        new DatagramPacket(damaged, damaged.length, InetAddress.getLoopbackAddress(), run.port()));
                stranger.setSoTimeout(10_000);
                stranger.receive(new DatagramPacket(damaged, damaged.length)); // that the connection is closed
            }
            run.connect();
            run.sender.send(-2, PACKETS + 16, new Pace(Pace.Mode.SLEEP, 1_000_000, 1));
            run.receiver.drain(10_000);
            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS);
            assertThat(run.failures).isEmpty();
        } finally {
            NETTY.removeHandler(log);
        }
        assertThat(printed).isEmpty();
    }
}

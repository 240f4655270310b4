package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;

/** UDP packets through a product that passes them on. */
class UdpViaTest {
    /** So few that a receive buffer of the default size holds them while the receiver's thread waits for a CPU. */
    private static final int PACKETS = 50;

    private static final String IN_USE = "Address already in use";

    @TempDir
    private Path directory;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();

    private interface Opening {
        InterfaceRun at(int port) throws Exception;
    }

    /** Opens a run at a port that was free; again if another program has taken it before the receiver. */
    private InterfaceRun openAtFreePort(Opening opening) throws Exception {
        while (true) {
            int port;
            try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
                port = socket.getLocalPort();
            }
            try {
                InterfaceRun run = opening.at(port);
                assertThat(run.port()).isEqualTo(port);
                return run;
            } catch (LagbenchException e) {
                assertThat(e).hasMessageContaining(IN_USE);
            }
        }
    }

    /** Passes on as many datagrams, and returns the number of bytes of all. */
    private CompletableFuture<Integer> passOn(DatagramSocket product, int datagrams, int port) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                int bytes = 0;
                DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
                for (int i = 0; i < datagrams; i++) {
                    datagram.setLength(2_000);
                    product.receive(datagram);
                    bytes += datagram.getLength();
                    product.send(new DatagramPacket(datagram.getData(), datagram.getLength(), loopback, port));
                }
                return bytes;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private InterfaceRun open(String engine, DatagramSocket product, int port) throws Exception {
        return InterfaceRun.open(directory, engine, "udp", settings(product, port), 992, PACKETS, 2, 0);
    }

    private static Map<String, String> settings(DatagramSocket product, int port) {
        return Map.of("via", "127.0.0.1:" + product.getLocalPort(), "receive-port", Integer.toString(port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c", "netty"})
    void reachReceiverAtTheNamedPortThroughTheProductAlone(String engine) throws Exception {
        try (DatagramSocket product = new DatagramSocket(0, loopback);
                InterfaceRun run = openAtFreePort(port -> open(engine, product, port))) {
            CompletableFuture<Integer> passed = passOn(product, PACKETS + 2, run.port());
            run.connect().sender.send(-2, PACKETS, new Pace(Pace.Mode.SLEEP, 500_000, 1));
            run.receiver.drain(10_000);

            assertThat(passed).succeedsWithin(Duration.ofSeconds(20)).isEqualTo((PACKETS + 2) * 992);
            assertThat(run.receiver.counts().received()).isEqualTo(PACKETS);
            assertThat(run.sender.metadata()).containsEntry("remoteAddress", "127.0.0.1:" + product.getLocalPort());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "c", "netty"})
    void areRefusedForRoundTrips(String engine) throws Exception {
        try (DatagramSocket product = new DatagramSocket(0, loopback);
                InterfaceRun run = openAtFreePort(port -> InterfaceRun.of(
                        new TrafficSpec(Traffic.ROUND_TRIP, 1, TrafficSpec.ONE_WAY.replyTimeout()),
                        directory,
                        engine,
                        "udp",
                        settings(product, port),
                        100,
                        1))) {
            assertThatThrownBy(run::connect).hasMessageContaining("passes packets one way only");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java-nio", "c", "netty"})
    void areRefusedAtPortInUse(String engine) throws Exception {
        try (DatagramSocket product = new DatagramSocket(0, loopback)) {
            assertThatThrownBy(() -> open(engine, product, product.getLocalPort()))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining(IN_USE);
        }
    }

    @Test
    void viaAddressIsDestinationOfRun() throws Exception {
        Settings settings = InterfaceRun.settings(
                InterfaceRun.engine("java"), InterfaceRun.transport("udp"), Map.of("via", "192.0.2.9:9000"));
        assertThat(InterfaceRun.transport("udp").destinations(settings))
                .isEqualTo(Set.of(new Endpoint("192.0.2.9", 9000)));
        assertThatThrownBy(() -> InterfaceRun.engine("aeron").check(InterfaceRun.transport("udp"), settings))
                .hasMessageContaining("engine: aeron does not support udp.via: 192.0.2.9:9000");
    }
}

package org.lagbench.compression.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.bandwidth.CounterSource.CounterReading;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;

/** Reads the counters of the loopback interface from the kernel and from a real SNMP agent. */
@Tag("one-java")
class SnmpCountersTest {
    private static final Path AGENT = Path.of("/usr/sbin/snmpd");
    private static final int SENT = 500;
    private static final int BYTES = 1_000;
    private static final int HEADER_BYTES = 8 + 20;

    private final Registry<CounterSource> sources = CounterSource.all();

    private static Bottleneck loopback(String agent, boolean isReceiver) {
        return new Bottleneck("lo", isReceiver, 1_000_000_000, 0, "/proc/net/dev", agent, "public");
    }

    /** Sends datagrams over the loopback interface. Its counters do not include Ethernet headers. */
    private static void sendDatagrams() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket sender = new DatagramSocket()) {
            for (int i = 0; i < SENT; i++) {
                sender.send(new DatagramPacket(new byte[BYTES], BYTES, receiver.getLocalSocketAddress()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsKernelCounters(boolean isReceiver) throws Exception {
        try (CounterSource.Counters kernel = sources.named("kernel").open(loopback("", isReceiver))) {
            CounterReading before = kernel.read();
            sendDatagrams();
            CounterReading after = kernel.read();
            assertThat(after.octets() - before.octets()).isGreaterThanOrEqualTo((long) SENT * (BYTES + HEADER_BYTES));
            assertThat(after.packets() - before.packets()).isGreaterThanOrEqualTo(SENT);
        }
    }

    /** The agent's values are between the kernel's counters before and after the agent's refresh. */
    @Test
    void agentReportsKernelCounters(@TempDir Path directory) throws Exception {
        assumeTrue(Files.isExecutable(AGENT), "snmpd is not installed (on Debian: apt-get install snmpd)");
        long pid = ProcessHandle.current().pid();
        // an address that no other process uses
        String address = "127.161." + (pid >> 8 & 0xff) + "." + (pid & 0xff) + ":16161";
        Path configuration = Files.writeString(directory.resolve("snmpd.conf"), "rocommunity public\n");
        ProcessBuilder builder = new ProcessBuilder(
                AGENT.toString(), "-f", "-Lf", "/dev/null", "-C", "-c", configuration.toString(), "udp:" + address);
        builder.environment().put("SNMP_PERSISTENT_DIR", directory.toString());
        builder.environment().put("MIBS", "");
        Process agent = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BothSources sender = open(address, false);
                BothSources receiver = open(address, true)) {
            sendDatagrams();
            CounterReading sent = sender.kernel.read();
            CounterReading received = receiver.kernel.read();
            sender.awaitAgent(sent);
            receiver.awaitAgent(received);
        } finally {
            agent.destroy();
            agent.waitFor();
        }
    }

    private BothSources open(String agent, boolean isReceiver) throws LagbenchException {
        return new BothSources(
                sources.named("kernel").open(loopback("", isReceiver)),
                sources.named("snmp").open(loopback(agent, isReceiver)));
    }

    /** The counters of one direction. */
    private record BothSources(CounterSource.Counters kernel, CounterSource.Counters snmp) implements AutoCloseable {
        /** Waits until the agent reports counters between these and the kernel's current ones. */
        void awaitAgent(CounterReading min) {
            assertThat(snmp.staleNs()).isBetween(1L, TimeUnit.MINUTES.toNanos(1));
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                CounterReading reported = snmp.read();
                assertThat(reported.bits()).isEqualTo(Long.SIZE);
                assertThat(reported.octets())
                        .isBetween(min.octets(), kernel.read().octets());
                assertThat(reported.packets())
                        .isBetween(min.packets(), kernel.read().packets());
            });
        }

        @Override
        public void close() throws IOException {
            try (kernel) {
                snmp.close();
            }
        }
    }

    @Test
    void reportsAgentThatDoesNotAnswer() {
        assertThatThrownBy(() -> sources.named("snmp").open(loopback("127.0.0.1:1", false)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("127.0.0.1:1 does not report the interface lo");
    }

    @Test
    void reportsMissingInterface() {
        Bottleneck none = new Bottleneck("no-such", false, 1_000, 0, "/proc/net/dev", "", "public");
        assertThatThrownBy(() -> sources.named("kernel").open(none))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("there is no interface no-such");
        assertThatThrownBy(() -> sources.named("snmp").open(none))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("names no SNMP agent");
    }
}

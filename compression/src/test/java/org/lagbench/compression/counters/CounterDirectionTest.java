package org.lagbench.compression.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.Variable;

/** Reads counters that differ by direction, width and interface. */
class CounterDirectionTest {
    private static Bottleneck eth0(boolean isReceiver, String counters, String agent) {
        return new Bottleneck("eth0", isReceiver, 1_000_000_000, 0, counters, agent, "public");
    }

    @ParameterizedTest
    @CsvSource({"true, 123456, 789", "false, 654321, 987"})
    void readsKernelCounters(boolean isReceiver, long octets, long packets, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("dev"),
                """
                Inter-|   Receive                               |  Transmit
                 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls \
                carrier compressed
                    lo: 11 12 1 2 3 4 5 6 13 14 7 8 9 10 11 12
                  eth0: 123456 789 1 2 3 4 5 6 654321 987 7 8 9 10 11 12
                """);
        try (CounterSource.Counters kernel = new KernelCounters().open(eth0(isReceiver, file.toString(), ""))) {
            assertThat(kernel.read()).isEqualTo(new CounterSource.CounterReading(octets, packets, 64));
        }
    }

    /** The objects are those of RFC 2863. An agent without 64-bit counters has no names in ifXTable either. */
    @ParameterizedTest
    @CsvSource({
        "true, true, 5000000006, 5000000007, 64",
        "true, false, 5000000010, 5000000011, 64",
        "false, true, 4000000010, 4000000011, 32",
        "false, false, 4000000016, 4000000017, 32"
    })
    void readsAgentCounters(boolean isWide, boolean isReceiver, long octets, long packets, int bits) throws Exception {
        Map<String, Variable> objects = new LinkedHashMap<>();
        String table = "1.3.6.1.2.1.2.2.1.";
        objects.put(table + "2.1", new OctetString("lo"));
        objects.put(table + "2.3", new OctetString("eth0"));
        for (int column : new int[] {10, 11, 16, 17}) {
            objects.put(table + column + ".1", new Counter32(1));
            objects.put(table + column + ".3", new Counter32(4_000_000_000L + column));
        }
        String extension = "1.3.6.1.2.1.31.1.1.1.";
        if (isWide) {
            objects.put(extension + "1.3", new OctetString("eth0"));
            for (int column : new int[] {6, 7, 10, 11}) {
                objects.put(extension + column + ".3", new Counter64(5_000_000_000L + column));
            }
        }
        try (StubAgent agent = new StubAgent(objects);
                CounterSource.Counters snmp = new SnmpCounters().open(eth0(isReceiver, "", agent.address()))) {
            assertThat(snmp.read()).isEqualTo(new CounterSource.CounterReading(octets, packets, bits));
            assertThat(snmp.staleNs()).as("default").isEqualTo(TimeUnit.SECONDS.toNanos(6));
        }
    }

    @Test
    void refusesAgentThatAnswersTextForCounters() throws Exception {
        String table = "1.3.6.1.2.1.2.2.1.";
        Map<String, Variable> objects = new LinkedHashMap<>();
        objects.put(table + "2.3", new OctetString("eth0"));
        objects.put("1.3.6.1.4.1.8072.1.5.3.1.2.1.3.6.1.2.1.2.2", new OctetString("5"));
        for (String counter : new String[] {table + "16.3", table + "17.3", "1.3.6.1.2.1.31.1.1.1.10.3"}) {
            objects.put(counter, new OctetString("100"));
        }
        try (StubAgent agent = new StubAgent(objects)) {
            assertThatThrownBy(() -> new SnmpCounters().open(eth0(false, "", agent.address())))
                    .isInstanceOfSatisfying(LagbenchException.class, e -> assertThat(e.exitCode())
                            .isEqualTo(ExitCode.UNAVAILABLE))
                    .hasMessageContaining("it returns no numbers for the counters of the interface; check the agent");
        }
    }
}

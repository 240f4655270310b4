package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.lab.LabBottleneck;

/** The counters of a lab's slow link, read by the kernel and by SNMP from a real agent. */
@Tag("one-java")
@Timeout(120)
class LabBottleneckTest {
    @BeforeEach
    void needsNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    /** A flow that takes 6 of 10 Mb/s leaves less, by both sources, and both agree about how much. */
    @Test
    void kernelAndSnmpAgreeAboutTheBandwidthBesideAFlow(@TempDir Path directory) throws Exception {
        assumeTrue(LabBottleneck.hasAgent(), "snmpd is not installed (on Debian: apt-get install snmpd)");
        Path network = Files.writeString(
                directory.resolve("slow.yaml"),
                "{like: dumbbell, flows: [{rate: 6mbit, packet-bytes: 1000, start: 0s}]}");

        CommandResult run = CommandResult.of("bandwidth", network.toString(), "--for=12s");

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<Double> estimates = new ArrayList<>();
        for (String source : List.of("kernel average", "snmp average")) {
            String row = run.out()
                    .lines()
                    .filter(line -> line.contains(source))
                    .findFirst()
                    .orElse("");
            assertThat(row).as(run.out()).isNotEmpty();
            String[] cells = row.substring(source.length()).strip().split("\\s+", -1);
            estimates.add(Double.parseDouble(cells[4]));
        }
        // 1,000 bytes take 1,066 of the wire: 6.396 Mb/s
        assertThat(estimates).as(run.out()).allSatisfy(estimate -> assertThat(estimate)
                .isBetween(2.9, 4.3));
    }

    @Test
    void refusesANetworkWithoutAFlow() {
        CommandResult run = CommandResult.of("bandwidth", "ethernet-10");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("The network ethernet-10 is not accepted")
                .contains("dumbbell");
    }
}

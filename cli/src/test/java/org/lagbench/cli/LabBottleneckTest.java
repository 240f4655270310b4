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
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.lab.LabBottleneck;

/** Reads the counters of a lab's slow link from the kernel and from a real SNMP agent. */
@Tag("one-java")
class LabBottleneckTest {
    @BeforeEach
    void needsNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    /** {@code scripts/validate truth} checks the accuracy of the estimates. */
    @Test
    void kernelAndSnmpCountFlow(@TempDir Path directory) throws Exception {
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
        assertThat(estimates).as(run.out()).allSatisfy(estimate -> assertThat(estimate)
                .isBetween(0.1, 9.9));
    }

    @Test
    void refusesNetworkWithoutFlow() {
        CommandResult run = CommandResult.of("bandwidth", "ethernet-10");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("The network ethernet-10 is not accepted")
                .contains("dumbbell");
    }
}

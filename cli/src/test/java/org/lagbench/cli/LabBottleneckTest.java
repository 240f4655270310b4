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

/** Reads the counters of a lab's slow link from the kernel and from a real SNMP agent. */
@Tag("one-java")
@Timeout(120)
class LabBottleneckTest {
    @BeforeEach
    void needsNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    /** With a flow of 6 Mb/s on a link of 10 Mb/s, the estimates from both sources are close to the rest. */
    @Test
    void kernelAndSnmpReportRestOfLink(@TempDir Path directory) throws Exception {
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
        // packets of 1,000 bytes occupy 1,066 bytes of the wire: 6.396 Mb/s
        assertThat(estimates).as(run.out()).allSatisfy(estimate -> assertThat(estimate)
                .isBetween(2.9, 4.3));
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

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("one-java")
class CapacityTest {
    private static final JsonMapper JSON = new JsonMapper();

    /** On a link of 20 Mb/s, a segment with 1448 bytes of payload occupies 1538 bytes. */
    private static final double PAYLOAD_BITS_PER_S = 20e6 * 1_448 / 1_538;

    /** A busy machine then leaves no result undecided. */
    private static final String ANY_LOAD = "machine.max-other-load=100%";

    @TempDir
    private Path directory;

    @Test
    void refusesBudgetBelowMegabyte() {
        CommandResult capacity = CommandResult.of("capacity", "--budget", "0");
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains("--budget: 0 is not accepted; it takes 1 or more.");
    }

    @Test
    void namesUnknownKeyBeforeItMeasures() {
        CommandResult capacity = CommandResult.of("capacity", "--set", "tcp.congestion=reno");
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains("tcp.congestion");
    }

    @Test
    void namesMissingKeyFile() {
        Path key = directory.resolve("none.key");
        for (List<String> command : List.of(List.of("capacity"), List.of("advise", "compression", "--data", "text"))) {
            List<String> all = new ArrayList<>(command);
            all.addAll(List.of("127.0.0.1", "--key-file", key.toString()));
            CommandResult result = CommandResult.of(all.toArray(String[]::new));
            assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.KEY.code());
            assertThat(result.err()).contains(key.toString());
        }
    }

    @Test
    void refusesSeveralPoints() {
        CommandResult capacity = CommandResult.of("capacity", "--set", "tcp.send-buffer=[16KiB, 32KiB]");
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains("the path is measured at one point, but these values make 2");
    }

    @Test
    void locatesMistakesInFile() throws Exception {
        Path file = Files.writeString(directory.resolve("path.yaml"), "capacity:\n  method: icmp\n");
        CommandResult capacity = CommandResult.of("capacity", file.toString());
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err())
                .contains(file + ":2:11: capacity.method: \"icmp\" is not accepted; it takes tcp or available or udp.");

        Files.writeString(file, "tcp: {send-buffer: [16KiB, 32KiB]}\n");
        capacity = CommandResult.of("capacity", file.toString());
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains(file + ": the path is measured at one point, but these values make 2");
    }

    /** Each datagram of the flow has 992 bytes of content and 66 bytes of headers and framing. */
    @Test
    @Tag("merge")
    void measuresRateLeftByCompetingFlow() throws Exception {
        Namespaces.assumeCreatable();
        String network = "lab={rate: 20mbit, delay: 5ms, flows: [{rate: 8mbit, packet-bytes: 992}]}";
        double left = PAYLOAD_BITS_PER_S * (1 - 8.0 / 20 * (992 + 66) / 992);
        try (LagbenchProcess capacity =
                LagbenchProcess.run(directory, "capacity", "--budget", "8", "--set", network, "--set", ANY_LOAD)) {
            assertThat(capacity.exitCode()).as(capacity.err()).isZero();
            Path result = new Sweeps(directory).session().resolve("capacity.json");
            assertThat(JSON.readTree(Files.readString(result))
                            .at("/bitsPerS/value")
                            .asDouble())
                    .as(capacity.out())
                    .isCloseTo(left, within(0.1 * left));
        }
    }

    /** The file also has the points of a sweep, which capacity does not use. */
    @Test
    void measuresRateOfLabWithFewBytes() throws Exception {
        Namespaces.assumeCreatable();
        Path file = Files.writeString(
                directory.resolve("path.yaml"),
                """
                lab: {rate: 20mbit, delay: 5ms}
                transports: tcp
                traffic: round-trip
                packet-bytes: [24, 992]
                in-flight: unlimited
                engine: [java, c]
                repeats: 3
                capacity: {budget-mb: 8}
                """);
        try (LagbenchProcess capacity =
                LagbenchProcess.run(directory, "capacity", file.toString(), "--set", ANY_LOAD)) {
            assertThat(capacity.exitCode()).as(capacity.err()).isZero();
            assertThat(capacity.out()).contains("TCP achieves ", "Transfers over a new connection");
            Path session = new Sweeps(directory).session();
            assertThat(Sweeps.runs(session)).as(capacity.out()).hasSizeBetween(1, 4);
            assertThat(session.resolve("experiment.yaml"))
                    .content()
                    .contains("capacity: {method: tcp, budget-mb: 8}", "engine: c\n", "repeats: 1\n");
            JsonNode result = JSON.readTree(Files.readString(session.resolve("capacity.json")));
            assertThat(result.at("/bitsPerS/value").asDouble())
                    .as(capacity.out())
                    .isCloseTo(PAYLOAD_BITS_PER_S, within(0.1 * PAYLOAD_BITS_PER_S));
            assertThat(Namespaces.of("sweep-" + capacity.pid())).isEmpty();
        }
    }
}

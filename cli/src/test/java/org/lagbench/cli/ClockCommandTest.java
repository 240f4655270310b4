package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated
class ClockCommandTest {
    /** No chronyd listens there: port 1 is reserved for another service. */
    private static final String NO_CHRONY = "127.0.0.1:1";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    private Process receiver;

    @AfterEach
    void endReceiver() throws InterruptedException {
        if (receiver != null) {
            receiver.destroyForcibly().waitFor();
        }
    }

    @Test
    void showsClockOfThisHost() throws Exception {
        CommandResult clock = CommandResult.of("clock", "--count", "1", "--chrony", NO_CHRONY, "--json");
        assertThat(clock.exitCode()).isZero();
        JsonNode state = JsonMapper.builder().build().readTree(clock.out());
        assertThat(state.get("sentence").asString())
                .containsAnyOf("no chronyd answers at 127.0.0.1:1", "keeps this host's clock, which");
        assertThat(state.get("boundNs").isNull()).isTrue();
    }

    @Test
    void boundsClocksByTwoWayStampsWithoutChrony() throws Exception {
        CommandResult clock = CommandResult.of(
                "clock", startReceiver("another-kernel"), "--count", "2", "--chrony", NO_CHRONY, "--json");
        assertThat(clock.exitCode()).as(clock.err()).isZero();
        JsonNode first = JsonMapper.builder()
                .build()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(clock.out())
                .next();
        assertThat(first.get("bound").get("basis").asString()).isEqualTo("two-way");
        // Both sides run on the same kernel, so the true offset is 0, and the interval must contain it.
        JsonNode interval = first.get("twoWay").get(0);
        assertThat(interval.get("lowerNs").asLong()).isNegative();
        assertThat(interval.get("upperNs").asLong()).isPositive();
        assertThat(first.get("bound").get("boundNs").asLong())
                .isGreaterThanOrEqualTo(Math.max(
                        -interval.get("lowerNs").asLong(),
                        interval.get("upperNs").asLong()));
    }

    @Test
    void recognizesSameKernelByBootId() throws Exception {
        CommandResult clock = CommandResult.of("clock", startReceiver(null), "--count", "1", "--chrony", NO_CHRONY);
        assertThat(clock.exitCode()).as(clock.err()).isZero();
        assertThat(clock.out()).containsPattern("Clock bound: ± \\d+ ns, from same-kernel");
    }

    @Test
    void namesUnreachableReceiver() throws Exception {
        CommandResult clock = CommandResult.of("clock", "127.0.0.1:1", "--count", "1");
        assertThat(clock.exitCode()).isEqualTo(3);
        assertThat(clock.err()).contains("No receiver answers at 127.0.0.1:1");
    }

    @Test
    void triesAllAddressesOfHost() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.9 two\n127.0.0.1 two\n127.0.0.8 two\n");
        List<String> options = List.of("-Djdk.net.hosts.file=" + hosts);
        String port = startReceiver("another-kernel").split(":", -1)[1];
        try (LagbenchProcess clock = LagbenchProcess.startWith(
                options, directory, "clock", "two:" + port, "--count", "1", "--chrony", NO_CHRONY)) {
            assertThat(clock.exitCode()).as(clock.err()).isZero();
        }
        try (LagbenchProcess clock = LagbenchProcess.startWith(options, directory, "clock", "two:1", "--count", "1")) {
            assertThat(clock.exitCode()).isEqualTo(3);
            assertThat(clock.err())
                    .contains("No receiver answers at two:1 (127.0.0.9: Connection refused; 127.0.0.1: Connection"
                            + " refused; 127.0.0.8: Connection refused)");
        }
    }

    @Test
    void rejectsInvalidHost() throws Exception {
        CommandResult clock = CommandResult.of("clock", "no host");
        assertThat(clock.exitCode()).isEqualTo(2);
        assertThat(clock.err()).contains("HOST[:PORT]");
    }

    /** Returns the address of the receiver. */
    private String startReceiver(String bootId) throws IOException {
        List<String> command = Distribution.command(
                "org.lagbench.receiver.Receiver",
                "--listen",
                "127.0.0.1:0",
                "--chrony",
                NO_CHRONY,
                "--directory",
                directory.resolve("received").toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        if (bootId != null) {
            builder.environment().put("LAGBENCH_BOOT_ID", bootId);
        }
        receiver = builder.start();
        BufferedReader output = receiver.inputReader();
        String line = output.readLine();
        assertThat(line).startsWith("listening on ");
        return line.substring("listening on ".length());
    }
}

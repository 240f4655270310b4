package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the line through two-way stamps with an independent Python script. */
@Tag("one-java")
class TwoWayOracleTest {
    private final Path directory;

    TwoWayOracleTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void agreesWithPythonOnOffsetAndSkew() throws Exception {
        assumeTrue(isPythonInstalled(), "python3 is not installed");
        for (int seed = 0; seed < 5; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            write(clocks.exchanges(2 + 7 * seed, 4));
            TwoWayStamps stamps = Objects.requireNonNull(TwoWayStamps.read(directory));
            OffsetEstimate ours = Estimator.ofTwoWay(stamps, stamps.firstNs(), stamps.lastNs());
            JsonNode theirs = computedByPython();
            long offsetNs = theirs.get("offset").asLong();
            assertThat(ours.line().originNs()).isEqualTo(ours.midSpanNs());
            assertThat(ours.line().baseNs() - offsetNs + ours.line().restNs())
                    .isCloseTo(theirs.get("fraction").asDouble(), within(1e-3));
            assertThat(ours.line().skew()).isCloseTo(theirs.get("skew").asDouble(), within(1e-14));
        }
    }

    @Test
    void readsNoStampsOfARunOnOneKernel() throws Exception {
        assertThat(TwoWayStamps.read(directory)).isNull();
        write(List.of());
        assertThat(TwoWayStamps.read(directory)).isNull();
    }

    @Test
    void rejectsAFileThatIsNoCapture() throws Exception {
        Files.writeString(directory.resolve(TwoWayExchange.FILE_NAME), "no");
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> TwoWayStamps.read(directory))
                .withMessageContaining(
                        directory.resolve(TwoWayExchange.FILE_NAME).toString());
    }

    private void write(List<TwoWayExchange> exchanges) throws IOException {
        Path file = directory.resolve(TwoWayExchange.FILE_NAME);
        Files.deleteIfExists(file);
        try (GrowingCapture capture = GrowingCapture.create(file, TwoWayExchange.FIELDS)) {
            for (TwoWayExchange exchange : exchanges) {
                capture.append(
                        capture.records(),
                        exchange.sentNs(),
                        exchange.receivedNs(),
                        exchange.repliedNs(),
                        exchange.returnedNs());
            }
        }
    }

    private JsonNode computedByPython() throws Exception {
        Process process = new ProcessBuilder(
                        "python3", "-B", "-m", "lagbench_validation.oracles.two_way", directory.toString())
                .directory(new File("../validation"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String json = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return JsonMapper.builder().build().readTree(json);
    }

    private static boolean isPythonInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

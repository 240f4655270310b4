package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.failure.ExitCode;

/** Tests {@code lagbench figures} with a small session. */
class FiguresCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @BeforeEach
    void makeSession() throws Exception {
        Captures.session(directory, 3);
    }

    @Test
    void makesSelectedFigures() throws Exception {
        CommandResult figures =
                CommandResult.of("figures", session(), "--only", "lag-boxes,lag-over-time", "--format", "svg");
        assertThat(figures.exitCode()).as(figures.err()).isZero();
        assertThat(figures.out().lines().toList())
                .startsWith(session() + "/figures/lag-boxes.svg", session() + "/figures/lag-over-time-udp-24.svg")
                .last()
                .asString()
                .startsWith("Font: ");
        assertThat(directory.resolve("session/figures/lag-boxes.svg")).isNotEmptyFile();
        assertThat(directory.resolve("session/figures/lag-boxes.png")).doesNotExist();
    }

    /** Ten packets over SRT with each latency; the first run loses one. */
    @Test
    void joinsLatenciesOfTransportInOneCurve() throws Exception {
        SessionFixture srt = new SessionFixture(directory.resolve("srt"));
        long[] sent = LongStream.range(0, 10).map(i -> i * 10_000_000).toArray();
        for (int run = 1; run <= 2; run++) {
            int latencyMs = 40 * run;
            int lost = run == 1 ? 3 : -1;
            srt.run("000" + run + "-srt-100-r1", "srt", 100)
                    .setting("latency", latencyMs + "ms")
                    .sent(sent)
                    .received(IntStream.range(0, sent.length)
                            .filter(i -> i != lost)
                            .mapToObj(i -> new long[] {i, sent[i] + latencyMs * 1_000_000L})
                            .toArray(long[][]::new))
                    .write();
        }
        CommandResult figures =
                CommandResult.of("figures", srt.path().toString(), "--only", "loss-over-latency", "--format", "svg");
        assertThat(figures.exitCode()).as(figures.err()).isZero();
        String svg = Files.readString(srt.path().resolve("figures/loss-over-latency.svg"));
        assertThat(svg).contains("Residual loss over latency").containsOnlyOnce("class=\"line\"");
    }

    @Test
    void rejectsUnknownFigure() throws Exception {
        CommandResult figures = CommandResult.of("figures", session(), "--only", "pie");
        assertThat(figures.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(figures.err()).contains("\"pie\" is not a valid chart", "lag-boxes");
    }

    @Test
    void namesPackageOfMissingFonts() throws Exception {
        List<String> withoutDesktop = List.of(
                "--limit-modules",
                "java.base,java.logging,java.management,java.naming,java.sql,java.xml,jdk.management,jdk.unsupported");
        try (LagbenchProcess figures =
                LagbenchProcess.startWith(withoutDesktop, directory, "figures", "session", "--only", "lag-boxes")) {
            assertThat(figures.exitCode()).as(figures.err()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(figures.err())
                    .contains("has no fonts", "apt-get install fontconfig")
                    .doesNotContain("\tat ");
            assertThat(directory.resolve("session/figures")).doesNotExist();
        }
    }

    private String session() {
        return directory.resolve("session").toString();
    }
}

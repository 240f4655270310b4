package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ForecastCommandTest {
    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final List<SeriesInfo> SERIES = List.of(
            new SeriesInfo("ping.java", "ping", "ms", SECOND_NS, SeriesInfo.Domain.ANY, null),
            new SeriesInfo("ping.c", "ping", "ms", SECOND_NS, SeriesInfo.Domain.ANY, null));

    private final Path session;

    ForecastCommandTest(@TempDir Path directory) {
        session = directory;
    }

    @BeforeEach
    void recordTwoSeries() throws Exception {
        double[] known = {10, 12, 11, 30, 12, 11, 10, 12};
        new SeriesIndex(EPOCH_NS, SERIES).write(session);
        try (SeriesStore store = new SeriesStore(session, SERIES)) {
            for (int i = 0; i < known.length; i++) {
                store.record(SERIES.get(0), EPOCH_NS + i * SECOND_NS, known[i], SeriesState.OK);
                store.record(SERIES.get(1), EPOCH_NS + i * SECOND_NS, 7, SeriesState.OK);
            }
        }
    }

    private CommandResult forecast(String... options) {
        return CommandResult.of(Stream.concat(Stream.of("forecast", session.toString()), Arrays.stream(options))
                .toArray(String[]::new));
    }

    @Test
    void forecastsNoSeriesWithoutValue() throws Exception {
        SeriesInfo empty = new SeriesInfo("ping.down", "ping", "ms", SECOND_NS, SeriesInfo.Domain.ANY, null);
        new SeriesIndex(EPOCH_NS, List.of(SERIES.get(0), empty)).write(session);
        try (SeriesStore store = new SeriesStore(session, List.of(empty))) {
            store.record(empty, EPOCH_NS, Double.NaN, SeriesState.NO_VALUE);
        }
        CommandResult both = forecast();
        assertThat(both.exitCode()).isEqualTo(ExitCode.OK.code());
        assertThat(both.out()).contains("ping.java: 8 values").doesNotContain("ping.down");
        assertThat(both.err()).contains("series ping.down has no value yet");
        CommandResult alone = forecast("--series", "ping.down");
        assertThat(alone.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(alone.err()).contains("Series ping.down has no value: there is nothing to forecast.");
    }

    @Test
    void forecastsNextValueOfEachSeries() {
        assertThat(forecast().out())
                .contains(
                        "ping.java: 8 values, 0 missing.",
                        "forecast as 11.5000 by \"trimmed mean of 31\"",
                        "ping.c: 8 values, 0 missing.",
                        "forecast as 7.00000 by");
        assertThat(forecast("--series", "ping.c").out()).contains("ping.c:").doesNotContain("ping.java:");
    }

    @Test
    void writesEveryMetricOfOneSeriesAsJson() {
        JsonNode json = JsonMapper.shared()
                .readTree(forecast("--series", "ping.java", "--select", "nws", "--steps", "2", "--format", "json")
                        .out());
        assertThat(json.get("selection").asString()).isEqualTo("nws");
        assertThat(json.get("steps")).hasSize(2);
    }

    @Test
    void comparesTwoSeries(@TempDir Path directory) {
        CommandResult result = forecast(
                "--series",
                "ping.java",
                "--against",
                "ping.c",
                "--figures",
                directory.resolve("figures").toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains(
                        "Equally predictable by forecast ± 2√MSE",
                        "from ping.java to ping.c, in pairs nearest in time");
        assertThat(result.err().lines()).hasSize(4).allSatisfy(file -> assertThat(Path.of(file))
                .isNotEmptyFile());
    }

    @Test
    void namesMistakes() {
        assertMistake("has no series none; it has ping.java, ping.c.", "--series", "none");
        assertMistake("--steps: 0 is not from 1 to 100.", "--steps", "0");
        assertMistake("\"best\" is not a valid rule; use one of: paper, nws, mae.", "--select", "best");
        assertMistake("--against compares with a series; select it with --series NAME.", "--against", "ping.c");
        assertMistake("--figures needs --against.", "--figures", "figures");
        assertMistake("--format json prints one series; select it with --series NAME.", "--format", "json");
        CommandResult other =
                CommandResult.of("forecast", session.resolve("none").toString());
        assertThat(other.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(other.err()).contains("none is not the session directory of lagbench monitor.");
    }

    private void assertMistake(String message, String... options) {
        CommandResult result = forecast(options);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.USAGE.code());
        assertThat(result.err()).contains(message);
    }
}

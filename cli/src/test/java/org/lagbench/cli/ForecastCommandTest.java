package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ForecastCommandTest {
    private final Path directory;

    ForecastCommandTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static String series(int seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("at,rtt\n");
        for (int i = 0; i < 600; i++) {
            text.append(i).append(',').append(40 + random.nextGaussian()).append('\n');
        }
        return text.toString();
    }

    private static String succeed(String... arguments) {
        CommandResult result = CommandResult.of(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    void forecastsTheNextValue() throws Exception {
        String file = write("known.csv", "rtt\n10\n12\n11\n30\n12\n11\n10\n12\n");
        assertThat(succeed("forecast", file)).contains("forecast as 11.5000 by \"trimmed mean of 31\"");
        Path history = directory.resolve("history.csv");
        JsonNode json = JsonMapper.shared()
                .readTree(succeed(
                        "forecast",
                        file,
                        "--select",
                        "nws",
                        "--steps",
                        "2",
                        "--format",
                        "json",
                        "--history",
                        history.toString()));
        assertThat(json.get("selection").asString()).isEqualTo("nws");
        assertThat(json.get("steps")).hasSize(2);
        List<String> rows = Files.readAllLines(history);
        assertThat(rows)
                .hasSize(9)
                .startsWith("at,value,forecast,mseLow,mseHigh,conformalLow,conformalHigh,forecaster", "1.0,10.0,,,,,,");
        assertThat(rows.get(2)).startsWith("2.0,12.0,10.0,,,,,");
    }

    @Test
    void comparesTwoSeries() throws Exception {
        String c = write("c.csv", series(1));
        String java = write("java.csv", series(2));
        Path figures = directory.resolve("figures");
        CommandResult result = CommandResult.of("forecast", c, "--against", java, "--figures", figures.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("Equally predictable by forecast ± 2√MSE", "Equal means within ± 5 %: yes");
        assertThat(result.err().lines()).hasSize(4).allSatisfy(file -> assertThat(Path.of(file))
                .isNotEmptyFile());
    }

    @Test
    void rejectsInvalidArguments() throws Exception {
        String file = write("two.csv", "a,b\n1,x\n");
        CommandResult result = CommandResult.of("forecast", file);
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(result.err()).contains("two.csv has 2 columns (a, b); choose one with --column.");
        result = CommandResult.of("forecast", file, "--column", "b");
        assertThat(result.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(result.err()).contains("two.csv:2: \"x\" is not a finite number");
        result = CommandResult.of("forecast", file, "--column", "a", "--steps", "0");
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(result.err()).contains("--steps: 0 is not from 1 to 100.");
        result = CommandResult.of("forecast", file, "--column", "a", "--history", file);
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(Files.readString(Path.of(file))).startsWith("a,b");
        result = CommandResult.of("forecast", file, "--column", "a", "--figures", "nowhere");
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
        result = CommandResult.of("forecast", file, "--select", "best");
        assertThat(result.err()).contains("\"best\" is not a valid rule; use one of: paper, nws, mae.");
    }
}

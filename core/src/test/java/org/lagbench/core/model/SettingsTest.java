package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Parameter<?> BUFFER =
            Parameter.bytes("buffer", 1_024, 1L << 30).orWord(Parameter.AUTO).described("Size of a buffer in bytes.");
    private static final Parameter<?> DEPTH =
            Parameter.number("depth", -2, 512).byDefault(8L).described("Depth of a queue in packets.");
    private static final Parameter<?> EAGER = Parameter.flag("eager", true).described("Whether it is eager.");
    private static final Parameter<?> SPEED = Parameter.choice("speed", List.of("S100", "S200", "S400"))
            .byDefault("S400")
            .described("Speed of the bus.");
    private static final Parameter<?> PATIENCE = Parameter.time("patience", 1_000, 10_000_000_000L)
            .asText()
            .orWord(Parameter.NONE)
            .described("How long it waits.");
    private static final List<Parameter<?>> ALL = List.of(BUFFER, DEPTH, EAGER, SPEED);

    @ParameterizedTest
    @CsvSource({
        "65536, 65536",
        "64KiB, 65536",
        "64 KiB, 65536",
        "64kB, 64000",
        "1MiB, 1048576",
        "1MB, 1000000",
        "1GiB, 1073741824",
        "1GB, 1000000000",
        "1024, 1024",
        "' 2048B ', 2048"
    })
    void readsSizesInAnyUnit(String text, long bytes) {
        assertThat(BUFFER.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1023",
                "1025MiB",
                "2GiB",
                "999999999999999GiB",
                "9999999999999999",
                "-1",
                "-18446744073709550kB",
                "64kb",
                "0x40",
                "",
                "Auto"
            })
    void refusesInvalidSizes(String text) {
        assertThatThrownBy(() -> BUFFER.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("buffer: \"" + text + "\"")
                .hasMessageContaining("a size from 1024 to 1073741824 bytes")
                .hasMessageContaining("or auto");
    }

    @ParameterizedTest
    @ValueSource(strings = {"513", "8KiB", "8.0", "eight", "99999999999999999999", "auto"})
    void refusesInvalidNumbers(String text) {
        assertThatThrownBy(() -> DEPTH.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a whole number from -2 to 512");
    }

    @Test
    void acceptsNegativeNumbersInRange() {
        assertThat(DEPTH.parse("-2")).isEqualTo(-2L);
        assertThatThrownBy(() -> DEPTH.parse("-3")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fillsInDefaults() {
        Settings settings = Settings.of(ALL, Map.of("depth", "3"));
        assertThat(settings.number("depth")).isEqualTo(3);
        assertThat(settings.optionalNumber("buffer")).isEmpty();
        assertThat(settings.flag("eager")).isTrue();
        assertThat(settings.word("speed")).isEqualTo("S400");
        assertThat(settings.asMap()).containsOnlyKeys("buffer", "depth", "eager", "speed");
        assertThat(Settings.of(ALL, Map.of("eager", "false")).flag("eager")).isFalse();
    }

    @Test
    void parsesFormattedSettings() {
        Settings settings = Settings.of(ALL, Map.of("buffer", "64KiB", "eager", "false", "speed", "S100"));
        assertThat(Settings.of(ALL, settings.asText())).isEqualTo(settings);
    }

    @Test
    void refusesUnknownNamesAndWords() {
        assertThatThrownBy(() -> Settings.of(ALL, Map.of("bufer", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bufer")
                .hasMessageContaining("buffer, depth, eager, speed");
        assertThatThrownBy(() -> Settings.of(ALL, Map.of("speed", "S3200")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("S100 or S200 or S400");
        assertThatThrownBy(() -> Settings.of(ALL, Map.of("eager", "yes")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("true or false");
    }

    @ParameterizedTest
    @CsvSource({
        "100us, 100us, 100000",
        "0.1 ms, 100us, 100000",
        "1000us, 1ms, 1000000",
        "1us, 1us, 1000",
        "10s, 10s, 10000000000",
        "1001ns, 1001ns, 1001",
        "none, none, 0"
    })
    void readsLengthsOfTimeInAnyUnit(String text, String kept, long ns) {
        Settings settings = Settings.of(List.of(PATIENCE), Map.of("patience", text));
        assertThat(settings.word("patience")).isEqualTo(kept);
        assertThat(settings.intervalNs("patience")).isEqualTo(ns);
        assertThat(Settings.of(List.of(PATIENCE), settings.asText())).isEqualTo(settings);
        assertThat(Settings.of(List.of(PATIENCE), Map.of()).intervalNs("patience"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"999ns", "10001ms", "100", "0s", "-1ms", "1.5ns", "soon", ""})
    void refusesInvalidLengthsOfTime(String text) {
        assertThatThrownBy(() -> PATIENCE.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("patience: \"" + text + "\"")
                .hasMessageContaining("a length of time from 1us to 10s")
                .hasMessageContaining("or none");
    }
}

package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    /** A section to which a version has added a parameter, with its default. */
    public record Conditions(Duration drain, long settleNs) {
        public static final Conditions DEFAULT = new Conditions(Duration.ofMillis(500), 7);
    }

    /** A record with values of any type. */
    public record Metadata(Map<String, Object> values) {}

    /** A record without defaults. */
    public record Run(String name, Conditions conditions, @Nullable String failure) {}

    @Test
    void readsMissingMemberAsDefaultOfItsRecord() {
        Run run = StrictJson.read("{\"name\": \"a\", \"conditions\": {\"drain\": \"PT1S\"}}", Run.class);

        assertThat(run).isEqualTo(new Run("a", new Conditions(Duration.ofSeconds(1), 7), null));
    }

    @Test
    void readsMissingSectionAsItsDefault() {
        assertThat(StrictJson.read("{\"name\": \"a\"}", Run.class)).isEqualTo(new Run("a", Conditions.DEFAULT, null));
    }

    @Test
    void refusesMissingMemberWithoutDefault() {
        assertThatThrownBy(() -> StrictJson.read("{\"conditions\": {}}", Run.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: is missing");
    }

    @Test
    void refusesNumberBeyondRangeOfDoubleInAnyValue() {
        String number = "9151e308";
        for (String value : List.of(number, "-" + number, "[1, " + number + "]", "{\"ns\": " + number + "}")) {
            assertThatThrownBy(() -> StrictJson.read("{\"values\": {\"cpu\": " + value + "}}", Metadata.class))
                    .as(value)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a number");
        }
        assertThat(StrictJson.read("{\"values\": {\"atNs\": 1795000000000000001, \"share\": 0.5}}", Metadata.class)
                        .values())
                .isEqualTo(Map.of("atNs", 1_795_000_000_000_000_001L, "share", 0.5));
    }

    /** Members whose types are read from a text. */
    public record Texts(UUID id, Instant at, Duration length, TimeUnit unit, String any) {}

    @ParameterizedTest
    @ValueSource(strings = {"id", "at", "length", "unit"})
    void refusesEmptyTextThatIsNoText(String member) {
        Map<String, String> members = new HashMap<>(Map.of(
                "id",
                "00000000-0000-0000-0000-000000000001",
                "at",
                "2026-11-29T00:00:00Z",
                "length",
                "PT1S",
                "unit",
                "DAYS",
                "any",
                ""));
        assertThat(read(members).any()).isEmpty();
        for (String empty : List.of("", " ")) {
            members.put(member, empty);
            assertThatThrownBy(() -> read(members))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(member + ": ");
        }
    }

    private static Texts read(Map<String, String> members) {
        return StrictJson.read(
                members.entrySet().stream()
                        .map(member -> "\"" + member.getKey() + "\": \"" + member.getValue() + "\"")
                        .collect(Collectors.joining(", ", "{", "}")),
                Texts.class);
    }

    @Test
    void refusesNullOfMemberWithDefault() {
        assertThatThrownBy(() -> StrictJson.read("{\"name\": \"a\", \"conditions\": null}", Run.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("conditions: is null");
    }
}

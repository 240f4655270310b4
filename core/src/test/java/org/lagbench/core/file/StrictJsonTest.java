package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Traffic;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
                .hasMessage("name: it is missing");
    }

    @Test
    void refusesNumberBeyondRangeOfDoubleInAnyValue() {
        String number = "9151e308";
        for (String value : List.of(number, "-" + number, "[1, " + number + "]", "{\"ns\": " + number + "}")) {
            assertThatThrownBy(() -> StrictJson.read("{\"values\": {\"cpu\": " + value + "}}", Metadata.class))
                    .as(value)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(" is too large");
        }
        assertThat(StrictJson.read("{\"values\": {\"atNs\": 1795000000000000001, \"share\": 0.5}}", Metadata.class)
                        .values())
                .isEqualTo(Map.of("atNs", 1_795_000_000_000_000_001L, "share", 0.5));
    }

    /** A record with members of all kinds. */
    public record Kinds(
            int small,
            @Nullable Long large,
            double share,
            boolean flag,
            TimeUnit unit,
            ClockBound.Basis basis,
            Traffic traffic,
            UUID id,
            Instant at,
            Duration length,
            Settings settings,
            JvmOptions options,
            Set<TimeUnit> units,
            List<Conditions> conditions,
            Map<String, @Nullable Long> counts,
            Object any) {}

    @Test
    void writesAsJacksonDoesAndReadsItAgain() {
        Kinds kinds = new Kinds(
                1,
                null,
                0.5,
                true,
                TimeUnit.DAYS,
                ClockBound.Basis.TWO_WAY,
                Traffic.ROUND_TRIP,
                new UUID(1, 2),
                Instant.ofEpochSecond(1_795_000_000, 5),
                Duration.ofMillis(1_500),
                new Settings(Map.of("batch", 1)),
                JvmOptions.parse("-Xmx64m -Xss1m"),
                Set.of(TimeUnit.HOURS),
                List.of(Conditions.DEFAULT),
                Collections.singletonMap("none", null),
                Map.of("all", List.of(1, 5_000_000_000L, 0.25, true, "text", Map.of())));
        JsonNode tree = StrictJson.tree(kinds);

        assertThat(tree).isEqualTo(StrictJson.builder().build().valueToTree(kinds));
        assertThat(StrictJson.convert(tree, Kinds.class)).isEqualTo(kinds);
        assertThat(StrictJson.read(StrictJson.line(kinds), Kinds.class)).isEqualTo(kinds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unit | \"DAY\" | unit: \"DAY\" is not one of NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS,"
                        + " MINUTES, HOURS, DAYS",
                "basis | \"TWO_WAY\" | basis: \"TWO_WAY\" is not one of same-kernel, chrony, two-way, nothing",
                "units | {} | units: {} is not a list",
                "units | [null] | units[0]: null is not a value",
                "conditions | [{\"drain\": \"1\"}] | conditions[0].drain: \"1\" is not a duration, such as PT1.5S",
                "counts | {\"a\": 0.5} | counts.a: 0.5 is not a whole number of 64 bits",
                "settings | {\"a\": []} | settings: a is [], neither a whole number nor true, false or text"
            })
    void namesMemberThatIsNotAccepted(String member, String value, String message) {
        ObjectNode tree = (ObjectNode) StrictJson.tree(new Kinds(
                1,
                2L,
                0.5,
                true,
                TimeUnit.DAYS,
                ClockBound.Basis.CHRONY,
                Traffic.ONE_WAY,
                new UUID(1, 2),
                Instant.ofEpochSecond(1_795_000_000, 5),
                Duration.ofMillis(1_500),
                new Settings(Map.of()),
                JvmOptions.NONE,
                Set.of(),
                List.of(),
                Map.of(),
                "any"));
        tree.set(member, JsonMapper.shared().readTree(value));

        assertThatThrownBy(() -> StrictJson.convert(tree, Kinds.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
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
                .hasMessage("conditions: null is not a value");
    }
}

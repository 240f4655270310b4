package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a session of an earlier version: all members of its summary must still be there, with the same values. */
class RecordedSessionTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path SESSION =
            Path.of("src/test/resources/org/lagbench/cli/session-0.1.0").toAbsolutePath();

    @Test
    void computesSummaryOfVersion010() throws Exception {
        CommandResult table = CommandResult.of("table", SESSION.toString(), "--format", "json");

        assertThat(table.exitCode()).as(table.err()).isZero();
        JsonNode recorded = JSON.readTree(Files.readString(SESSION.resolve("summary.json")));
        assertThat(recorded.get("points")).hasSize(2);
        assertContains(JSON.readTree(table.out()), recorded, "summary");
    }

    /** Checks that a value is equal, or has all the members and elements of the recorded one. */
    private static void assertContains(JsonNode value, JsonNode recorded, String path) {
        if (recorded.isObject()) {
            recorded.propertyStream().forEach(member -> {
                assertThat(value.has(member.getKey()))
                        .as(path + "." + member.getKey())
                        .isTrue();
                assertContains(value.get(member.getKey()), member.getValue(), path + "." + member.getKey());
            });
        } else if (recorded.isArray()) {
            assertThat(value).as(path).hasSize(recorded.size());
            IntStream.range(0, recorded.size())
                    .forEach(i -> assertContains(value.get(i), recorded.get(i), path + "[" + i + "]"));
        } else {
            assertThat(value).as(path).isEqualTo(recorded);
        }
    }
}

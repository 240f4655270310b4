package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads sessions of earlier versions: all members of their summaries must still be there, with the same values. */
class RecordedSessionTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path SESSIONS =
            Path.of("src/test/resources/org/lagbench/cli").toAbsolutePath();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"session-0.1.0, 2", "session-0.1.0-answers, 3"})
    void computesSummaryOfVersion010(String session, int points) throws Exception {
        assertSummary(SESSIONS.resolve(session), points);
    }

    @Test
    void findsNewestSessionOfADirectory() throws Exception {
        CommandResult table =
                CommandResult.of("table", SESSIONS.resolve("latest").toString(), "--format", "json");

        assertThat(table.exitCode()).as(table.err()).isZero();
        String name = JSON.readTree(table.out()).get("session").asString();
        assertThat(name).startsWith("session-0.1.0");
        assertThat(table.err()).isEqualTo("Session: " + SESSIONS.resolve(name) + "\n");
        assertThat(CommandResult.of("table", "latest").err()).doesNotContain("There is no session in :");
    }

    /** Removes a parameter from the records, as if a later version had added it. */
    @ParameterizedTest
    @CsvSource({
        "session-0.1.0, drain, 2",
        "session-0.1.0, stallTimeout, 2",
        "session-0.1.0-answers, drain, 3",
        "session-0.1.0-answers, conditions, 3"
    })
    void readsSessionsWithoutLaterParameter(String session, String parameter, int points) throws Exception {
        Path copy = directory.resolve(session);
        try (Stream<Path> files = Files.walk(SESSIONS.resolve(session))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copied = copy.resolve(SESSIONS.resolve(session).relativize(file));
                Files.createDirectories(copied.getParent());
                Files.copy(file, copied);
                if (copied.endsWith(RunRecord.FILE_NAME)) {
                    JsonNode run = JSON.readTree(Files.readString(copied));
                    ((ObjectNode) run.findParent(parameter)).remove(parameter);
                    Files.writeString(copied, run.toString());
                }
            }
        }

        assertSummary(copy, points);
    }

    private static void assertSummary(Path session, int points) throws Exception {
        CommandResult table = CommandResult.of("table", session.toString(), "--format", "json");

        assertThat(table.exitCode()).as(table.err()).isZero();
        JsonNode recorded = JSON.readTree(Files.readString(session.resolve("summary.json")));
        assertThat(recorded.get("points")).hasSize(points);
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

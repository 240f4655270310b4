package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import tools.jackson.databind.json.JsonMapper;

class RunRecordTest {
    /** A record of the first lagbench version, which had neither programs nor observations. */
    private static final String FIRST =
            """
            {"format": "lagbench-run-1", "name": "0001-udp-24-r1", "transport": "udp", "transportTitle": "UDP/IP",
             "packetBytes": 24, "packets": 10, "warmUpPackets": 0, "repeat": 1, "paceMode": "flood",
             "paceIntervalNs": 0, "settings": {"send-buffer": "auto"}, "implementation": "c",
             "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "facts": {}},
             "receiver": null, "counts": null, "clock": null}
            """;

    private static final String SECOND =
            """
            {"format": "lagbench-run-2", "run": {"name": "0001-udp-24-r1", "point": {"transport": "udp",
             "packetBytes": 24, "packets": 10, "warmUpPackets": 0,
             "pace": {"mode": "flood", "intervalNs": 0, "burst": 1},
             "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S", "transfer": null},
             "settings": {"send-buffer": "auto"}, "program": {"engine": "c", "settings": {}, "jvmOptions": "default"},
             "observe": [], "conditions": {"drain": "PT0.5S", "stallTimeout": "PT30S"}}, "repeat": 1, "stream": null},
             "transportTitle": "UDP/IP", "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "metadata": {}},
             "receiver": null, "counts": null, "clock": null, "machine": null, "lab": null}
            """;

    @TempDir
    private Path run;

    @Test
    void readsFirstFormatWithoutBurstsAndJvmOptions() throws Exception {
        Files.writeString(run.resolve(RunRecord.FILE_NAME), FIRST);

        Point point = RunRecord.read(run).point();

        assertThat(point.pace()).isEqualTo(Pace.flood());
        assertThat(point.program()).isEqualTo(new EngineSpec("c", JvmOptions.NONE));
        assertThat(point.settings().asText()).containsOnly(Map.entry("send-buffer", "auto"));
        assertThat(point.observe()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"round-trip", "transfer", "stream"})
    void readsRecordsOfVersion010(String name) throws Exception {
        try (InputStream recorded = RunRecordTest.class.getResourceAsStream("run-0.1.0-" + name + ".json")) {
            Files.copy(Objects.requireNonNull(recorded), run.resolve(RunRecord.FILE_NAME));
        }
        RunRecord record = RunRecord.read(run);
        TrafficSpec traffic = record.point().traffic();
        switch (name) {
            case "round-trip" ->
                assertThat(traffic).isEqualTo(new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofMillis(250)));
            case "transfer" ->
                assertThat(traffic)
                        .isEqualTo(TrafficSpec.of(
                                new TransferSpec(65_536, 2, true, new CompressionSpec("gzip-6", "text"))));
            default -> {
                assertThat(record.run().stream())
                        .isEqualTo(new StreamRole("audio", StreamRole.Direction.BACKWARD, List.of("video")));
                assertThat(record.point().pace()).isEqualTo(new Pace(Pace.Mode.HYBRID, 40_000_000, 12));
                assertThat(record.point().observe()).containsExactlyInAnyOrder(Observation.CAUSES, Observation.STAGES);
            }
        }

        record.write(run);

        assertThat(run.resolve(RunRecord.FILE_NAME)).content().startsWith("{\n  \"format\" : \"lagbench-run-2\",");
        assertThat(RunRecord.read(run)).isEqualTo(record);
    }

    @Test
    void readsFormerNames() throws Exception {
        String current = SECOND.replace("send-buffer", "reply-channel").replace("one-way", "round-trip");
        String former = current.replace("reply-channel", "answer-channel").replace("replyTimeout", "answerTimeout");
        Files.writeString(run.resolve(RunRecord.FILE_NAME), current);
        RunRecord record = RunRecord.read(run);
        Files.writeString(run.resolve(RunRecord.FILE_NAME), former);

        assertThat(record.point().settings().asText()).containsKey("reply-channel");
        assertThat(former).isNotEqualTo(current);
        assertThat(RunRecord.read(run)).isEqualTo(record);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"drain\": \"PT0.5S\",",
                ", \"stallTimeout\": \"PT30S\"",
                ", \"conditions\": {\"drain\": \"PT0.5S\", \"stallTimeout\": \"PT30S\"}"
            })
    void readsMissingConditionAsDefault(String member) throws Exception {
        assertThat(SECOND).contains(member);
        Files.writeString(run.resolve(RunRecord.FILE_NAME), SECOND.replace(member, ""));

        assertThat(RunRecord.read(run).point().conditions()).isEqualTo(RunConditions.DEFAULT);
    }

    @Test
    void writesWhatItReads() throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        Files.writeString(file, SECOND);
        RunRecord.read(run).write(run);

        JsonMapper json = new JsonMapper();
        assertThat(json.readTree(Files.readString(file))).isEqualTo(json.readTree(SECOND));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"packets\": 10 | \"packets\": \"10\" | run.point.packets: \"10\" is not a whole number of 64 bits.",
                "\"packets\": 10 | \"packets\": null | run.point.packets: is null.",
                "\"packets\": 10 | \"packets\": -1 | run.point: packets: -1 is not accepted; it takes a whole"
                        + " number from 1 to 1000000000",
                "\"packetBytes\": 24, | | run.point.packetBytes: is missing in format lagbench-run-2.",
                "\"udp\" | \"/../../../../x\" | run.point: transport: /../../../../x is not accepted; it takes up"
                        + " to 100 letters",
                "\"send-buffer\": \"auto\" | \"send-buffer\": null | run.point.settings.send-buffer: is null.",
                "\"COMPLETE\" | \"DONE\" | state: this value is not accepted.",
                "\"settings\": {\"send-buffer\": \"auto\"} | \"settings\": [] |"
                        + " run.point.settings: [] is not an object.",
                "PT0.5S | PT0.5X | run.point.conditions.drain: this value is not accepted.",
                "PT0.5S | PT61S | run.point.conditions: drain: 61s is not accepted; it takes a length"
                        + " of time from 0s to 60s",
                "\"default\" | \"-agentpath:x\" | run.point.program.jvmOptions: \"-agentpath:x\" is not accepted;",
                "\"one-way\" | \"two-way\" | run.point.traffic.kind: this value is not accepted.",
                "\"counts\": null | \"counts\": {\"received\": 3} | counts.distinct: is missing in format"
                        + " lagbench-run-2.",
                "\"clock\": null | \"clock\": 7 | clock: 7 is not an object.",
            })
    void refusesInvalidRecords(String written, String damaged, String message) throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        assertThat(SECOND).contains(written);
        Files.writeString(file, SECOND.replace(written, damaged == null ? "" : damaged));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> RunRecord.read(run))
                .withMessageStartingWith(file + ": " + message)
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }
}

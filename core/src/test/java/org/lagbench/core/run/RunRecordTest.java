package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import tools.jackson.databind.json.JsonMapper;

class RunRecordTest {
    private static final String RECORD =
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
        assertThat(RECORD).contains(member);
        Files.writeString(run.resolve(RunRecord.FILE_NAME), RECORD.replace(member, ""));

        assertThat(RunRecord.read(run).point().conditions()).isEqualTo(RunConditions.DEFAULT);
    }

    @Test
    void writesWhatItReads() throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        Files.writeString(file, RECORD);
        RunRecord.read(run).write(run);

        JsonMapper json = new JsonMapper();
        assertThat(json.readTree(Files.readString(file))).isEqualTo(json.readTree(RECORD));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"packets\": 10 | \"packets\": \"10\" | run.point.packets: \"10\" is not a whole number of 64 bits.",
                "\"packets\": 10 | \"packets\": null | run.point.packets: null is not a value.",
                "\"packets\": 10 | \"packets\": -1 | run.point: packets: -1 is not accepted; it takes a whole"
                        + " number from 1 to 1000000000",
                "\"packetBytes\": 24, | | run.point.packetBytes: it is missing.",
                "\"udp\" | \"/../../../../x\" | run.point: transport: /../../../../x is not accepted; it takes up"
                        + " to 100 letters",
                "\"send-buffer\": \"auto\" | \"send-buffer\": null |"
                        + " run.point.settings.send-buffer: null is not a value.",
                "\"COMPLETE\" | \"DONE\" | state: \"DONE\" is not one of RUNNING, COMPLETE, BROKEN, INTERRUPTED.",
                "\"settings\": {\"send-buffer\": \"auto\"} | \"settings\": [] |"
                        + " run.point.settings: [] is not an object.",
                "PT0.5S | PT0.5X | run.point.conditions.drain: \"PT0.5X\" is not a duration, such as PT1.5S.",
                "PT0.5S | PT61S | run.point.conditions: drain: 61s is not accepted; it takes a length"
                        + " of time from 0s to 60s",
                "\"default\" | \"-agentpath:x\" | run.point.program.jvmOptions: \"-agentpath:x\" is not accepted;",
                "\"one-way\" | \"two-way\" | run.point.traffic.kind: \"two-way\" is not one of one-way,"
                        + " round-trip, transfer.",
                "\"counts\": null | \"counts\": {\"received\": 3} | counts.distinct: it is missing.",
                "\"clock\": null | \"clock\": 7 | clock: 7 is not an object.",
            })
    void refusesInvalidRecords(String written, String damaged, String message) throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        assertThat(RECORD).contains(written);
        Files.writeString(file, RECORD.replace(written, damaged == null ? "" : damaged));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> RunRecord.read(run))
                .withMessageStartingWith(file + ": " + message)
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }
}

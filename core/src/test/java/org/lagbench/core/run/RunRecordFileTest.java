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

class RunRecordFileTest {
    /** A record of the first lagbench version, which had neither programs nor observations. */
    private static final String FIRST =
            """
            {"format": "lagbench-run-1", "name": "0001-udp-24-r1", "transport": "udp", "transportTitle": "UDP/IP",
             "packetBytes": 24, "packets": 10, "warmUpPackets": 0, "repeat": 1, "paceMode": "flood",
             "paceIntervalNs": 0, "settings": {"send-buffer": "auto"}, "engine": "c",
             "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "facts": {}},
             "receiver": null, "counts": null, "clock": null}
            """;

    @Test
    void readsRecordsWithoutBurstsAndJvmOptions(@TempDir Path run) throws Exception {
        Files.writeString(run.resolve(RunRecord.FILE_NAME), FIRST);

        RunRecord record = RunRecordFile.read(run);

        assertThat(record.paceBurst()).isEqualTo(1);
        assertThat(record.engine()).isEqualTo("c");
        assertThat(record.jvm()).isEqualTo("default");
        assertThat(record.observe()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"packets\": 10 | \"packets\": \"10\" | packets: \"10\" is not a whole number of 64 bits.",
                "\"packets\": 10 | \"packets\": null | packets: is null.",
                "\"packets\": 10 | \"packets\": -1 | packets: -1 is not from 1 to 1000000000.",
                "\"packetBytes\": 24, | | packetBytes: is missing.",
                "\"udp\" | \"/../../../../x\" | transport: this is not a name of at most 100 letters, digits, dots,",
                "\"send-buffer\": \"auto\" | \"send-buffer\": null | settings.send-buffer: is null.",
                "\"COMPLETE\" | \"DONE\" | state: this value is not accepted.",
                "\"settings\": {\"send-buffer\": \"auto\"} | \"settings\": [] | settings: [] is not an object.",
                "\"counts\": null | \"counts\": {\"received\": 3} | counts.distinct: is missing.",
                "\"clock\": null | \"clock\": 7 | clock: 7 is not an object.",
            })
    void refusesWhatNoRunWrote(String written, String damaged, String message, @TempDir Path run) throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        assertThat(FIRST).contains(written);
        Files.writeString(file, FIRST.replace(written, damaged == null ? "" : damaged));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> RunRecordFile.read(run))
                .withMessageStartingWith(file + ": " + message)
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }
}

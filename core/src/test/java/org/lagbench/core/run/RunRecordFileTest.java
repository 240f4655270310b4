package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordFileTest {
    /** Of the first lagbench, which knew of neither programs nor observations. */
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
}

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/** Makes sweeps with concurrent streams. */
@Tag("merge")
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class ConcurrentStreamsTest {
    private final Sweeps sweeps;

    ConcurrentStreamsTest(@TempDir Path directory) {
        this.sweeps = new Sweeps(directory);
    }

    @Test
    void sendsStreamsAloneAndConcurrently() throws Exception {
        String streams =
                """
                observe: none
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                warm-up-packets: 50
                drain: 100ms
                streams:
                  - name: files
                    transport: tcp
                    packet-bytes: 1000
                    pace: {mode: sleep, interval: 2ms}
                    duration: 2s
                    direction: backward
                    settings: {no-delay: false}
                  - {name: video, transport: ieee1394, packet-bytes: 488, pace: {mode: sleep, interval: 2ms},
                     packets: 1000}
                """;
        try (LagbenchThread sweep = sweeps.startHere(streams, "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.err()).contains("run 3 of 3").contains("-together-r1  done");
        }
        Path session = sweeps.session();
        List<Path> runs = Sweeps.complete(session);
        assertThat(runs).hasSize(4);
        List<RunRecord> together = new ArrayList<>();
        List<Long> firsts = new ArrayList<>();
        List<Long> lasts = new ArrayList<>();
        for (Path run : runs) {
            RunRecord record = RunRecord.read(run);
            if (!Objects.requireNonNull(record.run().stream()).isAlone()) {
                together.add(record);
                try (CaptureReader capture = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME))) {
                    int scheduled = capture.field("scheduled_ns");
                    firsts.add(capture.value(0, scheduled));
                    lasts.add(capture.value(capture.records() - 1, scheduled));
                }
            }
        }
        assertThat(together).extracting(record -> record.point().packets()).containsExactlyInAnyOrder(1_000L, 1_000L);
        assertThat(together)
                .filteredOn(record -> record.point().transport().equals("tcp"))
                .allSatisfy(record -> {
                    assertThat(record.point().allSettings().asMap()).containsEntry("no-delay", false);
                    assertThat(record.run().stream())
                            .isEqualTo(new StreamRole("files", StreamRole.Direction.BACKWARD, List.of("video")));
                });
        // Each stream starts at the common time, late only by the wake-up of its process.
        assertThat(Collections.max(firsts)).isLessThan(Collections.min(lasts));

        CommandResult table = CommandResult.of("table", session.toString(), "--view", "streams");
        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.out())
                .contains("Effects of the streams on each other")
                .containsPattern("TCP/IP\\s+1,000 +files")
                .containsPattern("IEEE-1394 \\(virtual bus\\)\\s+488 +video");
    }
}

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;

/** Tests {@code lagbench figures} with a small session. */
class FiguresCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @BeforeEach
    void makeSession() throws Exception {
        Path run = Files.createDirectories(directory.resolve("session/runs/0001-udp-24-r1"));
        long epochNs = 1_790_000_000_000_000_000L;
        try (SenderCapture sender = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), 3, false);
                ReceiverCapture receiver = ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), 3, false)) {
            for (int i = 0; i < 3; i++) {
                sender.append(i, SenderCapture.UNSCHEDULED, epochNs + i * 1_000L, epochNs + i * 1_000L + 1);
                receiver.append(i, epochNs + i * 1_000L + 700, 0);
            }
        }
        Files.writeString(run.resolve("run.json"), RUN);
    }

    @Test
    void makesSelectedFigures() throws Exception {
        CommandResult figures =
                CommandResult.of("figures", session(), "--only", "lag-boxes,lag-over-time", "--format", "svg");
        assertThat(figures.exitCode()).as(figures.err()).isZero();
        assertThat(figures.out().lines().toList())
                .startsWith(session() + "/figures/lag-boxes.svg", session() + "/figures/lag-over-time-udp-24.svg")
                .last()
                .asString()
                .startsWith("Font: ");
        assertThat(directory.resolve("session/figures/lag-boxes.svg")).isNotEmptyFile();
        assertThat(directory.resolve("session/figures/lag-boxes.png")).doesNotExist();
    }

    @Test
    void rejectsUnknownFigure() throws Exception {
        CommandResult figures = CommandResult.of("figures", session(), "--only", "pie");
        assertThat(figures.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(figures.err()).contains("\"pie\" is not a valid figure", "lag-boxes");
    }

    @Test
    void saysWhatToInstallWithoutFonts() throws Exception {
        List<String> withoutDesktop = List.of(
                "--limit-modules",
                "java.base,java.logging,java.management,java.naming,java.sql,java.xml,jdk.jfr,jdk.unsupported");
        try (LagbenchProcess figures =
                LagbenchProcess.startWith(withoutDesktop, directory, "figures", "session", "--only", "lag-boxes")) {
            assertThat(figures.exitCode()).as(figures.err()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(figures.err())
                    .contains("has no fonts", "apt-get install fontconfig")
                    .doesNotContain("\tat ");
            assertThat(directory.resolve("session/figures")).doesNotExist();
        }
    }

    private String session() {
        return directory.resolve("session").toString();
    }

    private static final String RUN =
            """
            {"format": "lagbench-run-1", "name": "0001-udp-24-r1", "transport": "udp", "transportTitle": "UDP/IP",
             "packetBytes": 24, "packets": 3, "warmUpPackets": 0, "repeat": 1, "paceMode": "flood", "paceIntervalNs": 0,
             "settings": {}, "engine": "java", "jvm": "", "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "metadata": {}},
             "receiver": null, "counts": null, "clock": null}
            """;
}

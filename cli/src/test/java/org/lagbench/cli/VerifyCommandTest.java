package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;

/** Verifies the session of a monitor. */
class VerifyCommandTest {
    private static final long NOON_NS = 1_769_860_800_000_000_000L; // 2026-01-31
    private static final SeriesInfo SERIES =
            new SeriesInfo("rtt", "round trip", "ms", 1_000_000_000, SeriesInfo.Domain.ANY, null);
    private static final String FILE = "rtt.2026-01-31.npy";
    private static final int LAST_VALUE = 256 + 24 + 8;

    @TempDir
    private Path session;

    private Path file;

    @BeforeEach
    void record() throws Exception {
        new SeriesIndex(NOON_NS, List.of(SERIES)).write(session);
        file = session.resolve("series").resolve(FILE);
        append(0, 1);
    }

    private void append(int... seconds) throws Exception {
        try (SeriesStore store = new SeriesStore(session, List.of(SERIES))) {
            for (int second : seconds) {
                store.record(SERIES, NOON_NS + second * 1_000_000_000L, 1.5, SeriesState.OK);
            }
        }
    }

    private void assertVerified(ExitCode code, String output) {
        CommandResult result = CommandResult.of("verify", session.toString());
        assertThat(result.out()).isEqualTo(output);
        assertThat(result.exitCode()).isEqualTo(code.code());
    }

    @Test
    void continuedSeriesIsIntact() throws Exception {
        append(2, 3);
        assertVerified(ExitCode.OK, "1 file of series, 0 damaged, 0 without checksums.\n");
    }

    @Test
    void changedValueIsFoundByItsChecksum() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        bytes[LAST_VALUE] ^= 1;
        Files.write(file, bytes);
        assertVerified(
                ExitCode.FILES,
                FILE + " is damaged: its checksums differ from byte 0 to byte " + (bytes.length - 1)
                        + ".\n1 file of series, 1 damaged, 0 without checksums.\n");
    }

    @Test
    void cutRecordIsFoundWithoutChecksums() throws Exception {
        Files.delete(session.resolve("series/checksums.json"));
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertVerified(
                ExitCode.FILES, FILE + " ends within a record.\n1 file of series, 1 damaged, 1 without checksums.\n");
    }

    @Test
    void recordOfAnotherDayIsFoundWithoutChecksums() throws Exception {
        Files.delete(session.resolve("series/checksums.json"));
        Files.move(file, file.resolveSibling("rtt.2026-02-01.npy"));
        assertVerified(
                ExitCode.FILES,
                """
                rtt.2026-02-01.npy has a record whose time is not after the one before, or not of its day.
                1 file of series, 1 damaged, 1 without checksums.
                """);
    }

    @Test
    void namesRunsWithoutCaptures(@TempDir Path directory) throws Exception {
        SessionFixture runs = new SessionFixture(directory.resolve("runs-only"));
        runs.run("a", "udp", 24).sent(0).received(new long[] {0, 5_000}).write();
        runs.run("b", "udp", 24)
                .sent(0)
                .received(new long[] {0, 5_000})
                .ended(RunRecord.State.BROKEN, "the disk is full")
                .write();
        Path failed = runs.path().resolve("runs/b");
        Files.deleteIfExists(failed.resolve(SenderCapture.FILE_NAME));
        Files.deleteIfExists(failed.resolve(ReceiverCapture.FILE_NAME));
        String out = CommandResult.of("verify", runs.path().toString()).out();
        assertThat(out).contains("b: readable, but without checksums; it has no captures.\n");
        assertThat(out).contains("a: readable, but without checksums.\n");
    }
}

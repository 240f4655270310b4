package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;

/** Exports the packets of a real run. */
class ExportCommandTest {
    private static final String TINY =
            """
            name: tiny
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            transports: [udp]
            packet-bytes: 100
            packets: 200
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            observe: events
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void exportsEachFormatWithoutOverwriting() throws Exception {
        try (LagbenchThread sweep = new Sweeps(directory).startHere(TINY, "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        Path session = new Sweeps(directory).session();
        for (String format : List.of("csv", "hdr")) {
            CommandResult export = CommandResult.of("export", session.toString(), "--format", format, "--tail", "95");
            assertThat(export.exitCode()).as(export.err()).isZero();
            assertThat(export.err()).isEmpty();
            // the path of each file, followed by indented notes
            List<Path> files = export.out()
                    .lines()
                    .filter(line -> !line.startsWith(" "))
                    .map(Path::of)
                    .toList();
            assertThat(files).hasSize(1).allSatisfy(file -> assertThat(file)
                    .hasParent(session.resolve("export"))
                    .isNotEmptyFile());
        }
        try (Stream<Path> files = Files.list(session.resolve("export"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".csv")))
                    .hasSize(1)
                    .allSatisfy(file -> assertThat(Files.readAllLines(file))
                            .hasSizeGreaterThanOrEqualTo(1 + 200)
                            .first(InstanceOfAssertFactories.STRING)
                            .endsWith(",cause,cause_side,schedule_cause,schedule_cause_side,run_state"));
        }
        CommandResult again = CommandResult.of("export", session.toString(), "--format", "csv");
        assertThat(again.exitCode()).as(again.err()).isZero();
    }

    @Test
    void tablesForProgramsSayWhyNoRunIsLeft() throws Exception {
        Path session = Captures.session(directory, 100);
        try (Stream<Path> files = Files.walk(session.resolve("runs"))) {
            for (Path capture :
                    files.filter(file -> file.toString().endsWith(".npy")).toList()) {
                Files.writeString(capture, "damaged");
            }
        }
        for (String format : List.of("csv", "json", "latex")) {
            CommandResult table = CommandResult.of("table", session.toString(), "--include-broken", "--format", format);
            assertThat(table.exitCode()).as(table.err()).isEqualTo(ExitCode.FILES.code());
            assertThat(table.err()).contains("Excluded: 0001-udp-24-r1, ", "No run is left for a table.");
        }
    }

    @Test
    @Tag("one-java")
    void leavesNoPartialFileWhenTerminated() throws Exception {
        Path session = Captures.session(directory, 400_000);
        try (LagbenchProcess export =
                LagbenchProcess.start(directory, "export", session.toString(), "--format", "csv")) {
            Path partial = session.resolve("export/.0001-udp-24-r1.csv.partial");
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Files.exists(partial));
            export.signal("TERM");
            assertThat(export.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
        }
        assertThat(session.resolve("export")).isEmptyDirectory();
    }

    @Test
    void rejectsInvalidArguments() throws Exception {
        CommandResult export = CommandResult.of("export", "nowhere", "--format", "csv");
        assertThat(export.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(export.err()).isEqualTo("lagbench: There is no directory nowhere." + System.lineSeparator());
        export = CommandResult.of("export", "nowhere", "--format", "xls");
        assertThat(export.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(export.err()).contains("\"xls\" is not a valid format; use one of: csv, hdr, ledger.");
        export = CommandResult.of("export", "nowhere", "--format", "csv", "--tail", "98");
        assertThat(export.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(export.err()).contains("\"98\" is not a valid tail; use one of: 50, 95, 99, 99.9.");
    }
}

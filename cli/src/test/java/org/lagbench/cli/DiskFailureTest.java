package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;

/** Disks that fail in mid-run: the stamps decide whether the run is complete. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class DiskFailureTest {
    private static final String SHORT =
            """
            name: short
            observe: events
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            transports: [udp]
            packet-bytes: 100
            packets: 2000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            """;

    private final Path directory;
    private final Sweeps sweeps;

    DiskFailureTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    /** The engines java and java-nio write captures in one loop, which has a test. */
    @ParameterizedTest
    @CsvSource({
        "receiver, udp, java",
        "receiver, udp, c",
        "receiver, ieee1394, java",
        "sender, udp, java",
        "sender, tcp, c"
    })
    void breaksRunWhoseCaptureIsTruncated(String side, String transport, String engine) throws Exception {
        try (LagbenchThread sweep =
                sweeps.startHereSetting(Sweeps.LONG, "transports=" + transport, "engine=" + engine)) {
            Path run = Sweeps.runs(sweeps.awaitStamps()).get(0);
            Path capture = run.resolve(side + ".npy");
            try (FileChannel other = FileChannel.open(capture, StandardOpenOption.WRITE)) {
                other.truncate(256);
            }

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err()).doesNotContain("\tat ");
            RunRecord record = RunRecord.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
            assumeFalse(sweep.err().contains(" ended by signal 6"), "the JVM aborts if it notices the fault too late");
            assertThat(sweep.err()).contains(side + ".npy", "truncated");
            assertThat(record.failure()).contains("truncated");
        }
    }

    @Test
    void completesRunOnDiskThatBecomesFull() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root may mount a disk");
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=2m", "none", directory.toString()) == 0,
                "this machine, maybe a container, lets root mount no disk");
        try (LagbenchThread sweep = sweeps.startHereSetting(SHORT)) {
            Path run = Sweeps.runs(sweeps.awaitStamps()).get(0);
            fillDisk();

            // the events fit if closing the captures freed enough
            assertThat(sweep.exitCode()).isIn(ExitCode.OK.code(), ExitCode.FILES.code());
            assertThat(sweep.err()).doesNotContain("\tat ");
            assertThat(RunRecord.read(run).state()).isEqualTo(RunRecord.State.COMPLETE);
            assertThat(run).isDirectoryContaining("glob:**/receiver.npy");
            try (Stream<Path> files = Files.list(run)) {
                assertThat(files.toList()).noneMatch(file -> file.toFile().length() == 0);
            }
        } finally {
            assertThat(run("umount", "--lazy", directory.toString())).isZero();
        }
    }

    private void fillDisk() throws IOException {
        byte[] some = new byte[1 << 12];
        try (OutputStream hog = Files.newOutputStream(directory.resolve("hog"))) {
            while (true) {
                hog.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}

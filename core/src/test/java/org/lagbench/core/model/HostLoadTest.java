package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the load with the CPU time of programs that the test starts, as the kernel counts it for each process. */
class HostLoadTest {
    private static final String HOG = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    private static final double NS_PER_TICK = 1e7;

    @Test
    void countsChildProcessesAsOwnLoad() throws Exception {
        HostLoad before = HostLoad.read();
        Process child = new ProcessBuilder("sh", "-c", HOG + "; echo done; read line").start();
        try (BufferedReader out = child.inputReader()) {
            assertThat(out.readLine()).isEqualTo("done");
            HostLoad after = HostLoad.read();
            assertThat(after.program()).isEqualTo(before.program());
            assertThat((double) (after.ownTicks() - before.ownTicks()))
                    .isGreaterThanOrEqualTo(cpuNs(child.toHandle()) / NS_PER_TICK - 2);
        } finally {
            child.destroy();
        }
    }

    /** The shell ends, so that its child becomes one of the init process or of a subreaper. */
    @Test
    void countsOtherProgramsAsOtherLoad(@TempDir Path directory) throws Exception {
        Path printed = directory.resolve("printed");
        HostLoad before = HostLoad.read();
        Process shell = new ProcessBuilder("sh", "-c", "(" + HOG + "; echo done; exec sleep 300) & echo $!")
                .redirectOutput(printed.toFile())
                .start();
        ProcessHandle other = null;
        try {
            shell.waitFor();
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> Files.readString(printed).endsWith("done\n"));
            other = ProcessHandle.of(Long.parseLong(Files.readAllLines(printed).get(0)))
                    .orElseThrow();
            HostLoad after = HostLoad.read();
            double ticks = after.otherSince(before, 0) * (double) (after.allTicks() - before.allTicks());
            double used = cpuNs(other) / NS_PER_TICK;
            assertThat(used).isGreaterThan(5);
            assertThat(ticks).isGreaterThan(0.8 * used - 2);
        } finally {
            if (other != null) {
                other.destroy();
            }
        }
    }

    private static double cpuNs(ProcessHandle process) {
        return (double) process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    /** Of 400 ticks, others used 100, this program 50, a peer's program 20, and interrupts 30. */
    @Test
    void subtractsOwnTimeAndInterrupts() {
        HostLoad before = load(1_000, 10, 2_000, 70);
        HostLoad after = load(1_200, 40, 2_400, 120);
        assertThat(after.otherSince(before, 20)).isCloseTo(0.25, within(1e-9));
        assertThat(after.busySince(before)).isCloseTo(0.5, within(1e-9));
        assertThat(load(-1, -1, -1, 0).otherSince(before, 0)).isNaN();
    }

    @Test
    void countsCpuAsBusyIfItsIdleTimeDecreased() {
        assertThat(load(1_201, 0, 1_200, 0).otherSince(load(1_000, 0, 1_000, 0), 0))
                .isEqualTo(1);
    }

    private static HostLoad load(long busy, long interrupts, long all, long own) {
        return new HostLoad(0, 0, busy, 0, interrupts, all, 0, 1, own, List.of(), List.of());
    }
}

package org.lagbench.core.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.CompilationFacts;
import org.lagbench.core.run.SideFacts;

class CompilationMonitorTest {
    private final CountDownLatch running = new CountDownLatch(1);
    private volatile boolean working = true;

    /** Linux shows the first 15 letters of a Java thread's name, as of a compiler thread's. */
    @Test
    void waitsOnlyForWorkingCompilers() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/task")), "this platform does not report the state of threads");
        Thread compiler = new Thread(this::work, "CompilerThread9");
        compiler.start();
        try {
            running.await(); // the thread runs, so that it has its name
            assertThat(CompilationMonitor.awaitIdle(Duration.ofMillis(200))).isFalse();
        } finally {
            working = false;
            compiler.join();
        }
        assertThat(CompilationMonitor.awaitIdle(Duration.ofSeconds(60))).isTrue();
    }

    private void work() {
        running.countDown();
        while (working) {
            Thread.onSpinWait();
        }
    }

    @Test
    void readsThreadStateAfterAnyName() {
        assertThat(CompilationMonitor.sleepsOrHasEnded("12 (C2 CompilerThre) S 1 2 3"))
                .isTrue();
        assertThat(CompilationMonitor.sleepsOrHasEnded("12 (C2 CompilerThre) R 1 2 3"))
                .isFalse();
        assertThat(CompilationMonitor.sleepsOrHasEnded("12 (C1) S (CompilerThre) D 1 2 3"))
                .isFalse();
        assertThat(CompilationMonitor.sleepsOrHasEnded("")).isTrue();
    }

    @Test
    void measuresCompilationAndIdleness() {
        CompilationMonitor watch = new CompilationMonitor();
        watch.awaitIdle();
        watch.begin();
        watch.end();
        Map<String, Object> entries = SideFacts.entries(watch.metadata());
        assertThat(entries).containsOnlyKeys("compilationMs", "compiledWhenWarm");
        assertThat(watch.metadata()).hasToString("[" + SideFacts.read(entries, CompilationFacts.class) + "]");
        assertThat((long) SideFacts.entries(watch.metadata()).get("compilationMs"))
                .isNotNegative();
    }
}

package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleSchedulingTest {
    private static final int SCHED_IDLE = 5;

    @Test
    void changesOnlyTheCallingThread() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            assertThat(executor.submit(LiveMetrics::beginIdle).get(60, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(executor.submit(IdleSchedulingTest::policy).get(60, TimeUnit.SECONDS))
                    .isEqualTo(SCHED_IDLE);
            assertThat(policy()).isNotEqualTo(SCHED_IDLE);
        } finally {
            executor.shutdown();
        }
    }

    /** Returns field 41 of proc(5)'s stat; the fields after the name of the program begin with the third. */
    private static int policy() throws Exception {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(fields[41 - 3]);
    }
}

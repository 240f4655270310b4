package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.file.PidNamespace;

class RetransmissionTraceTest {
    /** A number that no process has: Linux has at most 2^22. */
    private static final long NO_PID = 1L << 40;

    @Test
    void removesInstancesOfEndedProcessesOfThisPidNamespace(@TempDir Path instances) throws Exception {
        String prefix = "lagbench-" + PidNamespace.own() + "-";
        String other = "lagbench-" + (PidNamespace.own() + 1) + "-";
        for (String name :
                new String[] {prefix + NO_PID, prefix + ProcessHandle.current().pid(), other + NO_PID}) {
            Files.createDirectory(instances.resolve(name));
        }

        RetransmissionTrace.removeThoseOfEndedProcesses(instances, prefix);

        assertThat(instances.toFile().list())
                .containsExactlyInAnyOrder(prefix + ProcessHandle.current().pid(), other + NO_PID);
    }
}

package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network.CompetingFlow;

/** Tests competing flows with a fake lagbench-flow. */
class FlowTest {
    private static final String PROGRAMS = "lagbench.lab";
    private static final CompetingFlow FLOW =
            new CompetingFlow(100_000, 100, 0, CompetingFlow.RUN_END, CompetingFlow.Direction.FORWARD);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "; printf '{\"sent\": 1'"})
    void reportsFlowThatEndsBeforeItsCounts(String output) throws Exception {
        try (Flow flow = start("echo ready; read begin; read end" + output)) {
            flow.begin(0);
            assertThatThrownBy(flow::end)
                    .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                            .isEqualTo(ExitCode.BROKEN))
                    .hasMessageContaining("it has ended");
        }
    }

    @ParameterizedTest
    @CsvSource({"/nowhere, cannot be started", "/bin/sh, did not start"})
    void reportsFlowThatDoesNotStart(String interpreter, String said) {
        assertThatThrownBy(() -> start("echo no", interpreter))
                .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                        .isEqualTo(ExitCode.UNAVAILABLE))
                .hasMessageContaining(said);
    }

    @Test
    void reportsInterruptedFlow() {
        assertThatThrownBy(() -> start("exit 130"))
                .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                        .isEqualTo(ExitCode.INTERRUPTED));
    }

    private Flow start(String script) throws Exception {
        return start(script, "/bin/sh");
    }

    private Flow start(String script, String interpreter) throws Exception {
        Path program = Files.writeString(directory.resolve("lagbench-flow"), "#!" + interpreter + "\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        String before = System.getProperty(PROGRAMS);
        System.setProperty(PROGRAMS, directory.toString());
        try {
            return new Flow("flow 1 forward", FLOW, "here", "there", "192.0.2.1");
        } finally {
            if (before == null) {
                System.clearProperty(PROGRAMS);
            } else {
                System.setProperty(PROGRAMS, before);
            }
        }
    }
}

package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;

@Tag("one-java")
class ChildTest {
    @TempDir
    private Path directory;

    @Test
    void killsStoppedChild() throws Exception {
        Child.ExitReport outcome = run("kill -STOP $$");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(outcome.sentence())
                .isEqualTo("The sender was stopped for more than 4 s, as by SIGSTOP, and was killed.");
    }

    @Test
    void leavesChildThatContinues() throws Exception {
        assertThat(run("(sleep 2; kill -CONT $$) & kill -STOP $$").isOk()).isTrue();
    }

    @Test
    void readsLogThatIsNotUtf8() throws Exception {
        Child.ExitReport outcome = run("printf '\\377\\n' >&2; echo 'lagbench: It failed.' >&2; exit 6");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BROKEN);
        assertThat(outcome.sentence()).isEqualTo("It failed.");
    }

    private Child.ExitReport run(String script) throws Exception {
        ProgramArguments program = new ProgramArguments(List.of("sh", "-c", script), null);
        try (Child child = Child.start(
                "sender", program, Map.of(), directory.resolve("log"), Duration.ofSeconds(4), event -> {})) {
            child.awaitEnd();
            return child.outcome();
        }
    }
}

package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reasons why child processes cannot be used, with the messages of JDK 17 and 25 for processes that they could not
 * start.
 */
class ChildFailureTest {
    @ParameterizedTest
    @CsvSource({
        "2, INTERRUPTED", // Ctrl-C
        "15, INTERRUPTED",
        "1, INTERRUPTED",
        "9, UNAVAILABLE", // for example, because the kernel has no memory left
        "11, UNAVAILABLE"
    })
    void reportsStartEndedBySignalAsInterrupted(int signal, ExitCode exitCode) {
        String said = "Cannot run program \"java\": error=0, Failed to exec spawn helper: pid: 4711, signal: " + signal;
        LagbenchException failure = ChildFailure.notStarted("It cannot be started", new IOException(said));
        assertThat(failure.exitCode()).isEqualTo(exitCode);
        assertThat(failure).hasMessage("It cannot be started: " + said + ".");
    }

    @Test
    void reportsMissingProgramAsUnavailable() {
        assertThatThrownBy(() -> new ProcessBuilder("/signal: 2").start())
                .isInstanceOfSatisfying(
                        IOException.class, e -> assertThat(ChildFailure.notStarted("It cannot be started", e)
                                        .exitCode())
                                .isEqualTo(ExitCode.UNAVAILABLE));
    }

    /** Uses the exit codes of signals, because the parent of the test may ignore the signals themselves. */
    @ParameterizedTest
    @CsvSource({"129, INTERRUPTED", "130, INTERRUPTED", "143, INTERRUPTED", "137, BROKEN", "1, BROKEN", "0, BROKEN"})
    void reportsEndBySignalAsInterrupted(int code, ExitCode exitCode) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "exit " + code).start();
        assertThat(ChildFailure.ended(process, ExitCode.BROKEN, "It ended.").exitCode())
                .isEqualTo(exitCode);
    }

    @Test
    void endsProcessByClosingItsInput() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "echo what; cat").start();
        assertThat(ChildFailure.ended(process, ExitCode.BROKEN, "It ended."))
                .hasMessage("It ended.")
                .extracting(LagbenchException::exitCode)
                .isEqualTo(ExitCode.BROKEN);
        assertThat(process.isAlive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 'with exit code 1 (above)'",
        "134, by signal 6: a fault of it",
        "139, by signal 11: a fault of it",
        "137, by signal 9: another program or the kernel ended it",
        "152, by signal 24: another program or the kernel ended it"
    })
    void saysWhetherASignalIsAFault(int exitCode, String ending) {
        assertThat(ChildFailure.ending(exitCode, " (above)")).startsWith(ending);
    }
}

package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why processes could not be started, by what JDKs 17 and 25 say. */
class FailedStartTest {
    @ParameterizedTest
    @CsvSource({
        "2, INTERRUPTED", // Ctrl-C
        "15, INTERRUPTED",
        "1, INTERRUPTED",
        "9, UNAVAILABLE", // the kernel has no memory left, say
        "11, UNAVAILABLE"
    })
    void aStartThatASignalToTheGroupEndedIsInterrupted(int signal, ExitCode exitCode) {
        String said = "Cannot run program \"java\": error=0, Failed to exec spawn helper: pid: 4711, signal: " + signal;
        assertThat(FailedStart.exitCode(new IOException(said))).isEqualTo(exitCode);
    }

    @Test
    void aProgramThatIsNotThereIsNot() {
        try {
            new ProcessBuilder("/signal: 2").start().destroy();
            throw new AssertionError("there is such a program");
        } catch (IOException e) {
            assertThat(FailedStart.exitCode(e)).isEqualTo(ExitCode.UNAVAILABLE);
        }
    }
}

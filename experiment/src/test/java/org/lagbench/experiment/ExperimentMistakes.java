package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Writes experiment files with mistakes in a test's directory, and returns the reader's messages about them. */
final class ExperimentMistakes {
    private final ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
    private final Path directory;

    ExperimentMistakes(Path directory) {
        this.directory = directory;
    }

    List<String> in(String yaml, String... overrides) throws IOException {
        return in(yaml.getBytes(StandardCharsets.UTF_8), overrides);
    }

    /** Returns the lines of the message without the file's directory. */
    List<String> in(byte[] bytes, String... overrides) throws IOException {
        Path file = Files.write(directory.resolve("try.yaml"), bytes);
        LagbenchException failure = failureOf(file, overrides);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        return failure.sentence().replace(directory + "/", "").lines().toList();
    }

    LagbenchException failureOf(Path file, String... overrides) {
        return assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> reader.read(file, List.of(overrides)))
                .actual();
    }
}

package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Files that cannot be read, or that are no mappings of keys to values. */
class ExperimentFileTest {
    private final Path directory;
    private final ExperimentMistakes mistakes;

    ExperimentFileTest(@TempDir Path directory) {
        this.directory = directory;
        this.mistakes = new ExperimentMistakes(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            packets: [1                   | 1:12: this is not YAML: expected ',' or ']', but got <stream end>.
            packets: "1                   | 1:12: this is not YAML: found unexpected end of stream.
            packets: @5                   | 1:10: this is not YAML: found character '@' that cannot start any token.
            receiver: [::1]:5001          | 1:12: this is not YAML: expected the node content, but found ':'.
            ? [1, 2]                      | 1:4: this is not YAML: a key must be a word.
            packets: *five                | 1:10: aliases (*name) are not accepted; write the value out.
            packets: !!int 5              | 1:10: tags (!name) are not accepted; write the plain value.
            packets: [[[[[[[[[[[1]]]]]]]]]]] | 1:18: this is nested too deeply.
            - packets                     | 1:1: an experiment has keys with values, such as packets: 10000; this is a \
            list.
            packets                       | 1:1: an experiment has keys with values, such as packets: 10000; this is \
            "packets".
            """)
    void refusesFileThatIsNotAPlainMapping(String yaml, String beginning) throws IOException {
        assertThat(mistakes.in(yaml)).singleElement().asString().startsWith("try.yaml:" + beginning);
    }

    @Test
    void refusesSecondDocument() throws Exception {
        assertThat(mistakes.in("packets: 1\n---\npackets: 2\n"))
                .containsExactly("try.yaml:3:1: a second document begins here; a file has one.");
    }

    @Test
    void refusesAliasBomb() throws Exception {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append(String.format("a%d: &a%d [*a%d, *a%d]%n", i, i, i - 1, i - 1));
        }
        assertThat(mistakes.in(bomb.toString()))
                .containsExactly("try.yaml:2:10: aliases (*name) are not accepted; write the value out.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# nothing but a comment\n", "---\n"})
    void refusesEmptyFile(String yaml) throws IOException {
        assertThat(mistakes.in(yaml)).singleElement().asString().startsWith("try.yaml");
    }

    @Test
    void refusesHugeFile() throws Exception {
        assertThat(mistakes.in("#".repeat(ExperimentFile.MAXIMUM_BYTES + 1)))
                .containsExactly("try.yaml: the file is larger than an experiment may be, 1048576 bytes.");
    }

    @Test
    void locatesBytesThatAreNotText() throws Exception {
        assertThat(mistakes.in(new byte[] {'a', ':', ' ', '1', '\n', 'b', (byte) 0xff}))
                .containsExactly("try.yaml:2:2: this byte is not UTF-8; an experiment is a file of plain text.");
        assertThat(mistakes.in("packets: 5\0\n"))
                .containsExactly("try.yaml:1:11: there is a control character U+0000;"
                        + " an experiment is a file of plain text.");
        byte[] random = new byte[100_000];
        new Random(1).nextBytes(random);
        assertThat(mistakes.in(random)).singleElement().asString().endsWith("an experiment is a file of plain text.");
    }

    @Test
    void keepsControlCharactersFromTheTerminal() throws Exception {
        assertThat(mistakes.in("packets: \"\\e[2J\"\n\"\\e[2J\": 1\n"))
                .hasSize(2)
                .noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void namesMissingFile() {
        LagbenchException failure = mistakes.failureOf(directory.resolve("none.yaml"));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.FILES);
        assertThat(failure.sentence())
                .isEqualTo(directory.resolve("none.yaml")
                        + ": the file cannot be read: there is no such file or directory.");
    }

    @Test
    void refusesDirectory() {
        LagbenchException failure = mistakes.failureOf(directory);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.FILES);
        assertThat(failure.sentence())
                .isEqualTo(directory + ": this is a directory; name an experiment file, such as quickstart.yaml.");
    }

    @Test
    void reportsReadError() {
        // The memory of this process: it opens, and its first page cannot be read.
        LagbenchException failure = mistakes.failureOf(Path.of("/proc/self/mem"));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.FILES);
        assertThat(failure.sentence()).startsWith("/proc/self/mem: the file cannot be read: ");
    }

    @Test
    void reportsMissingPermission() throws Exception {
        Path file = Files.writeString(directory.resolve("secret.yaml"), "packets: 1");
        assertThat(file.toFile().setReadable(false)).isTrue();
        Assumptions.assumeFalse(Files.isReadable(file), "root may read every file");
        LagbenchException failure = mistakes.failureOf(file);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.FILES);
        assertThat(failure.sentence()).isEqualTo(file + ": the file cannot be read: you have no permission.");
    }
}

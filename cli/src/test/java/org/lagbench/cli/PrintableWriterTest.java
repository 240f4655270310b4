package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableWriterTest {
    /** E stands for the character escape. */
    @ParameterizedTest
    @CsvSource({
        "'100  ! 0.25  7.8', '100  E[31m! 0.25E[0m  7.8'",
        "'! 3 packets were lost', 'E[31m! 3 packets were lostE[0m'",
        "'100  0  7.8', '100  0  7.8'",
        "'E[32m! 0.25E[0m', '\\u001b[32mE[31m! 0.25E[0m\\u001b[0m'"
    })
    void showsMarksInRedAndEscapesOtherControls(String text, String colored) {
        StringWriter terminal = new StringWriter();
        Terminal.writer(new PrintWriter(terminal), true).println(text.replace('E', '\u001b'));
        assertThat(terminal).hasToString(colored.replace('E', '\u001b') + System.lineSeparator());

        StringWriter file = new StringWriter();
        Terminal.writer(new PrintWriter(file), false).println(text.replace('E', '\u001b'));
        assertThat(file.toString()).doesNotContain("\u001b");
    }
}

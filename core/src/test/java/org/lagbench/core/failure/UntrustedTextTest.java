package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UntrustedTextTest {
    @ParameterizedTest
    @CsvSource({
        "1b, \\u001b", // escape: colors, cursor, title
        "0a, \\u000a", // forges a line
        "0d, \\u000d", // overwrites a line
        "00, \\u0000",
        "7f, \\u007f",
        "9b, \\u009b", // the control sequence introducer in one character
        "ad, \\u00ad", // invisible
        "2028, \\u2028", // a line separator
        "202e, \\u202e", // shows what follows backward
        "200b, \\u200b", // zero width
        "feff, \\ufeff",
        "e000, \\ue000", // private use
        "d800, \\ud800", // half a character
        "e0001, \\udb40\\udc01" // a tag
    })
    void escapesUnprintableCharacter(String hexadecimal, String escaped) {
        String text = "a" + Character.toString(Integer.parseInt(hexadecimal, 16)) + "b";

        assertThat(UntrustedText.line(text)).isEqualTo("a" + escaped + "b");
        assertThat(UntrustedText.line(UntrustedText.line(text))).isEqualTo("a" + escaped + "b");
    }

    @Test
    void keepsPrintableText() {
        String text = "Zürich, 東京: ± 3 µs \\ \"quoted\" 🎬 café";

        assertThat(UntrustedText.line(text)).isEqualTo(text);
    }

    @Test
    void keepsLineFeedsOfMessagesWithSeveralLines() {
        assertThat(UntrustedText.lines("a.yaml:1: x\n\ta.yaml:2: \u001b[31m\r\n"))
                .isEqualTo("a.yaml:1: x\n\\u0009a.yaml:2: \\u001b[31m\\u000d\n");
    }

    @Test
    void cutsLongText() {
        assertThat(UntrustedText.line("x".repeat(500))).hasSize(500).endsWith("x");
        assertThat(UntrustedText.line("x".repeat(501))).hasSize(500).endsWith("x…");
        assertThat(UntrustedText.line("\n".repeat(100_000))).hasSize(500);
        assertThat(UntrustedText.line("abc🎬def", 5)).isEqualTo("abc…");
    }
}

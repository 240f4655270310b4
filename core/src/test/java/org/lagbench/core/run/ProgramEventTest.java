package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.file.StrictJson;

class ProgramEventTest {
    @Test
    void readsWhatItWrites() {
        ProgramEvent event = new ProgramEvent(ProgramEvent.Kind.WARNING, "none of \"10\"\narrived ±");

        assertThat(StrictJson.line(event)).doesNotContain("\n");
        assertThat(ProgramEvent.parse(StrictJson.line(event))).isEqualTo(event);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[warning] a JVM",
                "{",
                "{}",
                "{\"kind\": \"OTHER\", \"value\": \"\"}",
                "{\"kind\": \"READY\"}"
            })
    void ignoresOtherLines(String line) {
        assertThat(ProgramEvent.parse(line)).isNull();
    }
}

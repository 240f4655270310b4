package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

class SidePipeTest {
    @Test
    void readsEventThatItPrints() {
        SideMessage.Warning event = new SideMessage.Warning("none of \"10\"\narrived ±");

        String printed = printed(event);

        assertThat(printed).containsOnlyOnce("\n").endsWith("\n");
        assertThat(SidePipe.parse(printed.strip())).isEqualTo(event);
    }

    @Test
    void carriesKeysToSide() throws Exception {
        SharedKey key = SharedKey.random();
        SideMessage.Serve request = new SideMessage.Serve(
                new Endpoint("::1", 0),
                new Access(
                        List.of(
                                new Access.Permission(key, Access.Grant.DEFAULT),
                                new Access.Permission(SharedKey.random(), Set.of(Access.Grant.SEND_TO_OTHERS))),
                        Set.of(new Endpoint("graz", 5394))),
                new LocalEnd(null, 7, "eth0"),
                "received",
                new Endpoint("127.0.0.1", 323),
                true,
                0,
                List.of("java", "-Dx=\u00e4 b"));
        Process side = new ProcessBuilder("head", "-n", "1").start();

        assertThat(SidePipe.write(side, request)).isTrue();

        String line =
                Objects.requireNonNull(side.inputReader(StandardCharsets.UTF_8).readLine());
        assertThat(SidePipe.parse(line)).isEqualTo(request);
        assertThat(side.waitFor()).isZero();
        assertThat(request.toString()).doesNotContain(line.replaceAll(".*\"key\":\"([^\"]*)\".*", "$1"));
    }

    @Test
    void saysThatSideHasEnded() throws Exception {
        Process side = new ProcessBuilder("true").start();
        assertThat(side.waitFor()).isZero();

        assertThat(SidePipe.write(side, new SideMessage.Interrupt())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[warning] a JVM",
                "{",
                "{}",
                "{\"type\": \"other\"}",
                "{\"type\":\"other\"}",
                "{\"type\":\"recording\"}",
                "{\"type\":\"recording\",\"dueNs\":-1}"
            })
    void ignoresOtherLines(String line) {
        assertThat(SidePipe.parse(line)).isNull();
    }

    private static String printed(SideMessage.Event event) {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            SidePipe.print(event);
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}

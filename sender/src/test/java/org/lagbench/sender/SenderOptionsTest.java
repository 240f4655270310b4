package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;

class SenderOptionsTest {
    @Test
    void printsDefaultsInHelp() {
        assertThat(Sender.commandLine(new ShutdownCoordinator(), "--help")
                        .getUsageMessage()
                        .replaceAll("\\s", ""))
                .contains("(default:127.0.0.1:5394)", "(default:runs)", "(default:992)", "(default:hybrid)")
                .doesNotContain("--repeats", "--lab");
    }

    @ParameterizedTest
    @CsvSource({
        "--drain, soon, --drain",
        "--stall-timeout, 0s, --stall-timeout: 0s is not accepted",
        "--interval, 1ns, --interval",
        "--rate, 10, --rate",
        "--packets, 0, --packets",
        "--size, '[24,992]', a single value",
        "--name, ../elsewhere, name: ../elsewhere is not accepted",
        "--no-such-option, 1, --no-such-option",
        "--wait-for-clock, 1, --wait-for-clock"
    })
    void namesInvalidValue(String option, String value, String named) {
        assertThat(errors("udp", option, value)).startsWith("lagbench: ").contains(named);
    }

    @Test
    void namesInvalidHost() {
        assertThat(errors("udp", "192.0.2.7:99999")).contains("HOST[:PORT]");
    }

    /** Returns what the sender prints before it ends because of its arguments. */
    private static String errors(String... arguments) {
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            int code = Sender.commandLine(new ShutdownCoordinator(), arguments).execute(arguments);
            assertThat(code).isEqualTo(ExitCode.USAGE.code());
        } finally {
            System.setErr(err);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}

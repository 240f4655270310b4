package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.RunParameters;
import org.lagbench.experiment.ExperimentReader;

class SenderOptionsTest {
    @Test
    void printsDefaultsInHelp() {
        assertThat(Sender.commandLine(new ShutdownCoordinator())
                        .getUsageMessage()
                        .replaceAll("\\s", ""))
                .contains(
                        "(default:127.0.0.1:5394)",
                        "(default:runs)",
                        "(default:992)",
                        "(default:50000)",
                        "(default:20000)",
                        "(default:flood)",
                        "(default:500ms)",
                        "(default:30s)",
                        "(default:127.0.0.1:323)",
                        "(default:1ms)",
                        "(default:0s)");
    }

    @Test
    void hasOptionForEachKeyOfPoint() {
        assertThat(Sender.commandLine(new ShutdownCoordinator())
                        .getCommandSpec()
                        .optionsMap())
                .containsKeys(ExperimentReader.pointKeys().stream()
                        .filter(key -> !key.name().equals("transports") && !key.equals(RunParameters.TRANSFERS))
                        .map(key -> "--" + key.name())
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "--drain, soon, drain",
        "--drain, 61s, drain",
        "--stall-timeout, 0s, stall-timeout: 0s is not accepted",
        "--pace, hybrid, hybrid:125us",
        "--pace, flood:125us, hybrid:125us",
        "--pace, sleep:1ns, interval: 1ns is not accepted",
        "--pace, sleep:1ms:, hybrid:40ms:12",
        "--pace, sleep:1ms:4:4, hybrid:40ms:12",
        "--pace, sleep:1ms:0, 1 to 100000",
        "--packets, 0, packets: 0 is not accepted",
        "--packet-bytes, 23, packet-bytes: 23 is not accepted",
        "--name, ../elsewhere, name: ../elsewhere is not accepted",
        "--set, no-such-setting=1, no-such-setting",
        "--receiver, nowhere, --receiver",
        "--clock-max-error, 1, --clock-max-error"
    })
    void namesInvalidValue(String option, String value, String named) {
        List<String> errors = new ArrayList<>();
        int code = run(errors, "--transport", "udp", option, value);

        assertThat(code).isEqualTo(ExitCode.USAGE.code());
        assertThat(errors).singleElement().asString().startsWith("lagbench: ").contains(named);
    }

    private static int run(List<String> errors, String... arguments) {
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            return Sender.commandLine(new ShutdownCoordinator()).execute(arguments);
        } finally {
            System.setErr(err);
            bytes.toString(StandardCharsets.UTF_8).lines().forEach(errors::add);
        }
    }
}

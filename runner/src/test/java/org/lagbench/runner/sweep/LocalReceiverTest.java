package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

class LocalReceiverTest {
    @Test
    void reportsWhyReceiverDidNotStart() {
        Hosts failing = new Hosts(
                List.of("sh", "-c", "exit 7"),
                List.of("sh", "-c", "exit 7"),
                new Endpoint("127.0.0.1", 0),
                null,
                LocalEnd.ANY,
                null);

        assertThatThrownBy(() -> LocalReceiver.start(
                        failing, Path.of(""), new PrintWriter(new StringWriter()), new ShutdownCoordinator()))
                .hasMessage("The receiver on this machine did not start: it ended with exit code 7.");
    }
}

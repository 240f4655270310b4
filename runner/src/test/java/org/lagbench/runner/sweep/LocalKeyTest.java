package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

/** Another user of this machine finds the port of a receiver in /proc/net/tcp, and its arguments in /proc. */
class LocalKeyTest {
    private static final String KEY_TEXT = SharedKey.newText();
    private static final SharedKey KEY = new SharedKey(SharedKey.ascii(KEY_TEXT));

    /** Not {@link Hosts#LOOPBACK}, whose receiver is started again after this test has ended it. */
    private static final Hosts HOSTS =
            new Hosts(List.of(), List.of(), new Endpoint("127.0.0.1", 0), null, LocalEnd.ANY, KEY);

    @TempDir
    private Path directory;

    @AfterEach
    void endReceivers() {
        ProcessHandle.current()
                .children()
                .filter(child -> arguments(child).contains(directory.toString()))
                .forEach(child -> {
                    child.destroy();
                    child.onExit().join();
                });
    }

    @Test
    void keepsOthersFromReceiverOfMonitor() throws Exception {
        checkAccess(LocalReceiver.start(HOSTS, directory, nowhere(), new ShutdownCoordinator()));
    }

    @Test
    void keepsOthersFromReceiverOfSweep() throws Exception {
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load())
                .build("test", List.of("transports=udp", "packet-bytes=100", "packets=10"));
        try (Execution execution = new Execution(
                        experiment,
                        SessionDirectory.createIn(directory.resolve("session"), experiment),
                        Duration.ZERO,
                        false,
                        false,
                        null,
                        null,
                        new ShutdownCoordinator());
                Child receiver = Child.start(
                        "receiver",
                        ProgramArguments.receiver(
                                execution,
                                experiment.run().numbered(1, 1).runs().get(0),
                                HOSTS),
                        Map.of(),
                        directory.resolve("log"),
                        Duration.ofSeconds(100),
                        event -> {})) {
            checkAccess(receiver.awaitListening(Duration.ofSeconds(100)).orElseThrow());
        }
    }

    private void checkAccess(Endpoint receiver) throws Exception {
        assertThatThrownBy(() -> ReceiverConnection.open(receiver, null, new ShutdownCoordinator()))
                .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                        .isEqualTo(ExitCode.KEY));
        ReceiverConnection.open(receiver, KEY, new ShutdownCoordinator()).close();
        assertThat(ProcessHandle.current().children().map(LocalKeyTest::arguments))
                .anyMatch(arguments -> arguments.contains(directory.toString()))
                .noneMatch(arguments -> arguments.contains(KEY_TEXT));
    }

    @Test
    void makesKeyOfSession() {
        assertThat(Hosts.LOOPBACK.key()).isNotNull().isNotEqualTo(KEY);
    }

    private static PrintWriter nowhere() {
        return new PrintWriter(new StringWriter());
    }

    private static String arguments(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has ended
        }
    }
}

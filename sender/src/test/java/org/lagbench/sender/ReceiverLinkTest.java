package org.lagbench.sender;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.text.Endpoint;

@Timeout(120)
class ReceiverLinkTest {
    /** A sender that waits for its receiver until its standard input ends. */
    static final class WaitingSender {
        public static void main(String[] arguments) {
            ShutdownCoordinator.run(shutdown -> {
                shutdown.endWithStandardInput();
                InetAddress local = InetAddress.getLoopbackAddress();
                try {
                    new ReceiverLink.Accepting(Endpoint.parse("127.0.0.1:0"), local, null, false, shutdown).open();
                    return ExitCode.OK.code();
                } catch (LagbenchException e) {
                    return e.exitCode().code();
                }
            });
        }
    }

    /**
     * The host that has requested the sender leaves, and another program of it is connected and silent. The receiver is
     * busy until the sender has ended, so the sender must not wait for that program's handshake.
     */
    @Test
    void endsWithoutHandshakeOfSilentStranger() throws Exception {
        Process sender = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WaitingSender.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = sender.inputReader(StandardCharsets.UTF_8)) {
            ProgramEvent listening = ProgramEvent.parse(requireNonNull(output.readLine()));
            int port = Endpoint.parse(requireNonNull(listening).value()).port();
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                stranger.getOutputStream().write('{'); // a message without an end
                sender.getOutputStream().close();

                assertThat(output.lines().collect(Collectors.joining("\n"))).doesNotContain("took more than");
            }
            assertThat(sender.waitFor()).isEqualTo(ExitCode.INTERRUPTED.code());
        } finally {
            sender.destroyForcibly();
        }
    }
}

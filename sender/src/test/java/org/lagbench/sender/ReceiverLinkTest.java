package org.lagbench.sender;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

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

    /** A sender that its receiver has connected, and that waits to be interrupted. */
    static final class ConnectedSender {
        public static void main(String[] arguments) {
            ShutdownCoordinator.run(shutdown -> {
                ReceiverLink link = new ReceiverLink.Accepting(
                        Endpoint.parse("127.0.0.1:0"), InetAddress.getLoopbackAddress(), null, false, shutdown);
                try {
                    ControlConnection connection = link.open();
                    CountDownLatch interrupted = new CountDownLatch(1);
                    shutdown.onInterrupt(interrupted::countDown);
                    shutdown.onInterrupt(() -> link.interrupt(connection));
                    shutdown.endWithStandardInput(line -> {
                        if (SidePipe.parse(line) instanceof SideMessage.Interrupt) {
                            shutdown.interrupt();
                        }
                    });
                    System.out.println("connected");
                    interrupted.await();
                    return ExitCode.OK.code();
                } catch (LagbenchException | InterruptedException e) {
                    return ExitCode.INTERNAL.code();
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"'', FAILED", "{\"type\":\"interrupt\"}, INTERRUPTED"})
    void reportsFailureWhenItsParentDies(String lastLine, Refusal reason) throws Exception {
        Process sender = start(ConnectedSender.class);
        try (BufferedReader output = sender.inputReader(StandardCharsets.UTF_8)) {
            try (ControlConnection connection =
                    ReceiverConnection.openToSender(listening(output), null, LocalEnd.ANY, new ShutdownCoordinator())) {
                assertThat(output.readLine()).isEqualTo("connected");
                sender.getOutputStream().write((lastLine + "\n").getBytes(StandardCharsets.US_ASCII));
                sender.getOutputStream().close();

                assertThat(connection.read())
                        .isInstanceOfSatisfying(ControlMessage.Refused.class, refused -> assertThat(refused.reason())
                                .isEqualTo(reason));
            }
        } finally {
            sender.destroyForcibly();
        }
    }

    private static Endpoint listening(BufferedReader output) throws IOException {
        SideMessage message = SidePipe.parse(requireNonNull(output.readLine()));
        return ((SideMessage.Listening) requireNonNull(message)).address();
    }

    private static Process start(Class<?> program) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true)
                .start();
    }

    /**
     * The host that has requested the sender leaves, and another program of it is connected and silent. The receiver is
     * busy until the sender has ended, so the sender must not wait for that program's handshake.
     */
    @Test
    void endsWithoutHandshakeOfSilentStranger() throws Exception {
        Process sender = start(WaitingSender.class);
        try (BufferedReader output = sender.inputReader(StandardCharsets.UTF_8)) {
            int port = listening(output).port();
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                ControlConnection connection = ControlConnection.ofReceiver(stranger);
                connection.write(new ControlMessage.Hello(ControlMessage.PROTOCOL, "00", false));
                connection.read(ControlMessage.Introduction.class); // so the handshake has begun
                stranger.getOutputStream().write('{'); // a message without an end
                sender.getOutputStream().close();

                assertThat(output.lines().collect(Collectors.joining("\n"))).doesNotContain("no reply in time");
            }
            assertThat(sender.waitFor()).isEqualTo(ExitCode.INTERRUPTED.code());
        } finally {
            sender.destroyForcibly();
        }
    }
}

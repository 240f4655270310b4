package org.lagbench.receiver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.Access;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.RefusedException;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

/** Tests what a sender on another host gets when the receiver of {@code lagbench serve} ends. */
class ReceiverTest {
    @TempDir
    Path directory;

    private interface End {
        void of(Process receiver) throws IOException;
    }

    /** As after SIGKILL of {@code lagbench serve}: nobody has interrupted the run. */
    @Test
    void reportsFailureWhenItsParentDies() throws Exception {
        assertRefused(receiver -> receiver.getOutputStream().close(), Refusal.FAILED, "its parent process died");
    }

    @Test
    void reportsInterruptionBySignal() throws Exception {
        assertRefused(receiver -> receiver.toHandle().destroy(), Refusal.INTERRUPTED, "The receiver was interrupted");
    }

    @Test
    void reportsInterruptionByItsParent() throws Exception {
        assertRefused(
                receiver -> {
                    SidePipe.write(receiver, new SideMessage.Interrupt());
                    receiver.getOutputStream().close();
                },
                Refusal.INTERRUPTED,
                "The receiver was interrupted");
    }

    private void assertRefused(End end, Refusal reason, String text) throws Exception {
        Process receiver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Receiver.class.getName(),
                        SideRequests.OPTION,
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        SidePipe.write(
                receiver,
                new SideMessage.Serve(
                        Endpoint.parse("127.0.0.1:0"),
                        Access.of(null, Access.Grant.DEFAULT),
                        LocalEnd.ANY,
                        directory.toString(),
                        ClockPolicy.DEFAULT.chrony(),
                        true,
                        0,
                        List.of()));
        try (BufferedReader output = receiver.inputReader(StandardCharsets.UTF_8)) {
            SideMessage.Listening listening =
                    (SideMessage.Listening) requireNonNull(SidePipe.parse(requireNonNull(output.readLine())));
            int port = listening.address().port();
            try (ControlConnection connection =
                    ControlConnection.ofSender(new Socket(InetAddress.getLoopbackAddress(), port))) {
                Handshake.introduce(connection, null);
                connection.write(new ControlMessage.Ask(ControlMessage.Question.CLOCK));
                connection.read(ControlMessage.ClockIs.class);

                end.of(receiver);

                assertThatThrownBy(() -> connection.read(ControlMessage.Counted.class))
                        .isInstanceOfSatisfying(RefusedException.class, refused -> assertThat(refused.reason())
                                .isEqualTo(reason))
                        .hasMessageContaining(text);
            }
        } finally {
            receiver.destroyForcibly();
        }
    }
}

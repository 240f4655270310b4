package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.commandline.ReceiverOptions;
import org.lagbench.control.Access;
import org.lagbench.control.Access.Grant;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.RefusedException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine;

/** Hosts with a key each request what their key grants, and what it does not. */
class GrantsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void grantsNothingButWhatKeyAllows(Grant granted) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("--key-file", key("own").toString(), "--site", "192.0.2.7"));
        for (Grant each : Grant.values()) {
            arguments.addAll(List.of("--allow", key(each.text()) + "=" + each.text()));
        }
        ReceiverOptions options = options(arguments.toArray(String[]::new));
        Access access = options.access(SharedKey.find(options.keyFile()));
        SenderPrograms senders = new SenderPrograms(
                List.of("sh", "-c", "echo 'lagbench: Started.'; exit 5", "sh"), null, Endpoint.parse("127.0.0.1:1"));
        SharedKey key = SharedKey.read(directory.resolve(granted.text()));
        try (ReceiverUnderTest receiver =
                new ReceiverUnderTest(directory.resolve("received"), Long.MAX_VALUE, senders, access)) {
            for (Grant requested : Grant.values()) {
                try (ControlConnection host =
                        ReceiverConnection.open(receiver.server().endpoint(), key, new ShutdownCoordinator())) {
                    host.write(request(requested));
                    ControlMessage reply = readReply(host);
                    if (requested != granted) {
                        assertThat(((ControlMessage.Refused) reply).text())
                                .startsWith("The receiver does not allow " + requested.text() + " with this key");
                    } else if (requested == Grant.RUN) {
                        assertThat(reply).isInstanceOf(ControlMessage.Accepted.class);
                    } else {
                        assertThat(((ControlMessage.Refused) reply).text()).isEqualTo("On the sender: Started.");
                    }
                }
            }
        }
    }

    private static ControlMessage readReply(ControlConnection host) throws Exception {
        try {
            return host.read(ControlMessage.Accepted.class);
        } catch (RefusedException e) {
            return new ControlMessage.Refused(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    private static ControlMessage request(Grant grant) {
        return switch (grant) {
            case RUN -> ReceiverUnderTest.offer("udp", "run", 10, ReceiverUnderTest.PACKET_BYTES);
            case SEND_TO_ME -> new ControlMessage.OpenSender(ReceiverUnderTest.request("java", "text"));
            case SEND_TO_OTHERS ->
                new ControlMessage.MakeRun("192.0.2.7:5394", ReceiverUnderTest.request("java", "text"));
        };
    }

    @Test
    void allowsNoSendingToOthersByDefault() throws Exception {
        Access access = options("--key-file", key("own").toString()).access(SharedKey.read(key("own")));

        assertThat(access.permissions())
                .singleElement()
                .extracting(Access.Permission::grants)
                .isEqualTo(Set.of(Grant.RUN, Grant.SEND_TO_ME));
    }

    /** Only lagbench serve has a sender. */
    @Test
    void refusesGrantThatReceiverCannotHonor() throws Exception {
        assertThat(Receiver.commandLine(new ShutdownCoordinator())
                        .execute(
                                "--key-file", key("own").toString(),
                                "--allow", "run,send-to-others",
                                "--site", "192.0.2.7",
                                "--listen", "127.0.0.1:0"))
                .isEqualTo(ExitCode.USAGE.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-to-others", "KEY=run"})
    void refusesGrantsThatRequireKeyOfReceiver(String allowed) throws Exception {
        String key = key("other").toString();

        assertThatThrownBy(() -> options("--allow", allowed.replace("KEY", key)).access(null))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("requires a key of this receiver");
    }

    /** Reading it would end only with a writer. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesPipeAsKeyOfOtherHost() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThatThrownBy(() -> options("--allow", pipe + "=run").access(SharedKey.read(key("own"))))
                .isInstanceOf(LagbenchException.class)
                .hasMessage("The key file " + pipe + " is not a regular file.");
    }

    @Test
    void requiresSitesOfAgent() throws Exception {
        SharedKey key = SharedKey.read(key("own"));

        assertThatThrownBy(() -> options("--allow", "send-to-others").access(key))
                .isInstanceOf(LagbenchException.class)
                .hasMessage("--allow send-to-others: name the hosts to which this one may send with --site"
                        + " HOST[:PORT].");
        assertThat(options("--allow", "send-to-others", "--site", "graz,192.0.2.9:99")
                        .access(key)
                        .sites())
                .containsExactlyInAnyOrder(new Endpoint("graz", 5394), new Endpoint("192.0.2.9", 99));
    }

    @Test
    void namesUnknownGrant() {
        assertThatThrownBy(() -> options("--allow", "run,all").access(null))
                .isInstanceOf(LagbenchException.class)
                .hasMessage("--allow \"all\" is not accepted; it takes run or send-to-me or send-to-others.");
    }

    private static ReceiverOptions options(String... arguments) {
        return CommandLine.populateCommand(new ReceiverOptions(), arguments);
    }

    private Path key(String name) throws Exception {
        Path file = directory.resolve(name);
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, SharedKey.newText());
        }
        return file;
    }
}

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;

/** The author of a session decides neither which files of this host are read nor, unseen, to whom they are sent. */
class ForeignSessionTest {
    private static final String COMPRESSED =
            "transports: tcp\ntraffic: transfer\ntransfer-bytes: 64KiB\ncodec: none\ntransfers: 1\nseed: 1\n";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"data, sweep", "key-file, sweep", "data, monitor", "key-file, monitor"})
    void usesNoFileThatUserDoesNotName(String key, String command) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        try (ServerSocket author = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path session = session("receiver: 127.0.0.1:" + author.getLocalPort() + "\n" + key + ": " + secret + "\n");
            if (command.equals("monitor")) {
                Files.writeString(
                        session.resolve("experiment.yaml"),
                        Files.readString(session.resolve("experiment.yaml")) + "monitor: {probes: points}\n");
            }

            CommandResult refused = CommandResult.of(command, "--resume", session.toString());

            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(ExitCode.USAGE.code());
            assertThat(refused.err())
                    .contains(" uses " + secret + " of this host, and connects to 127.0.0.1:" + author.getLocalPort())
                    .contains("add --allow-file " + secret + ".");
            author.setSoTimeout(1);
            assertThat(catchThrowable(author::accept)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 127.0.0.1:1",
        "data-host: 127.0.0.3, '127.0.0.1:1, 127.0.0.3'",
        "'clock: {chrony: \"127.0.0.3:2\"}', '127.0.0.1:1, 127.0.0.3:2'"
    })
    void namesHostsBeforeItConnects(String key, String hosts) throws Exception {
        Path session = session("receiver: 127.0.0.1:1\n" + key + "\n");

        CommandResult resumed = CommandResult.of("sweep", "--resume", session.toString());

        assertThat(resumed.err()).startsWith("lagbench: " + session + " connects to " + hosts + ".");
    }

    @Test
    void namesFileOfExperimentBeforeItIsSent() throws Exception {
        Path file = Files.writeString(
                directory.resolve("a.yaml"), COMPRESSED + "receiver: 127.0.0.1:1\ndata: " + directory + "/secret\n");

        CommandResult sweep = CommandResult.of("sweep", file.toString(), "--output", directory.toString());

        assertThat(sweep.err())
                .startsWith("lagbench: " + file + " uses " + directory + "/secret and connects to 127.0.0.1:1.");
    }

    @Test
    void acceptsFileThatUserNames() throws Exception {
        Path data = Files.write(directory.resolve("data"), new byte[1 << 20]);
        Path session = session("data: " + data + "\n");

        CommandResult resumed = CommandResult.of(
                "sweep", "--resume", session.toString(), "--no-report", "--allow-file", data.toString());

        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(resumed.err()).startsWith("lagbench: " + session + " uses " + data + ".");
    }

    private Path session(String keys) throws Exception {
        Path session = Files.createDirectories(directory.resolve("session"));
        Files.writeString(session.resolve("experiment.yaml"), COMPRESSED + keys);
        return session;
    }
}

package org.lagbench.core.clock;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real chronyd in addition to the system's, with its own directory, that leaves the clock alone ({@code -x}). Where
 * none can be started the test is skipped, with the reason.
 */
final class PrivateChronyd implements AutoCloseable {
    /** The user who runs the tests, because chronyd requires that this user owns its directory. */
    private static final String USER = System.getProperty("user.name");

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final Process process;
    private final int commandPort;

    private PrivateChronyd(Process process, int commandPort) {
        this.process = process;
        this.commandPort = commandPort;
    }

    /** Starts a chronyd in an empty directory; {@code commandPort} 0 closes its command port. */
    static PrivateChronyd start(Path directory, int commandPort, String... configuration) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        Path socket = directory.resolve("chronyd.sock");
        List<String> lines = new ArrayList<>(List.of(configuration));
        lines.add("cmdport " + commandPort);
        lines.add("bindcmdaddress " + socket);
        lines.add("pidfile " + directory.resolve("chronyd.pid"));
        lines.add("driftfile " + directory.resolve("drift"));
        Path file = Files.write(directory.resolve("chrony.conf"), lines);
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(
                        program("chronyd"), "-x", "-d", "-U", "-u", USER, "-F", "0", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            // chronyd opens its command ports first and this socket last.
            Awaitility.await()
                    .atMost(START_TIMEOUT)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> Files.exists(socket) || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            process.destroyForcibly();
            throw new IOException(
                    "chronyd made no socket: " + Files.readString(log).strip(), e);
        }
        if (!process.isAlive()) {
            abort("chronyd cannot be started here: " + Files.readString(log).strip());
        }
        return new PrivateChronyd(process, commandPort);
    }

    long pid() {
        return process.pid();
    }

    ChronyClient client() {
        return new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), commandPort));
    }

    /** Returns what chronyc reports about this chronyd: the fields of {@code tracking}. */
    String[] tracking() throws Exception {
        Process chronyc = new ProcessBuilder(
                        program("chronyc"), "-n", "-c", "-h", "127.0.0.1", "-p", "" + commandPort, "tracking")
                .redirectErrorStream(true)
                .start();
        String reply = new String(chronyc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (chronyc.waitFor() != 0) {
            throw new IOException("chronyc: " + reply);
        }
        return reply.strip().split(",", -1);
    }

    /** Returns a UDP port of the loopback interface that no socket uses. */
    static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
        process.destroyForcibly().onExit().join();
    }

    private static String program(String name) {
        for (String directory : List.of("/usr/sbin", "/usr/bin", "/sbin", "/usr/local/sbin", "/usr/local/bin")) {
            Path program = Path.of(directory, name);
            if (Files.isExecutable(program)) {
                return program.toString();
            }
        }
        assumeTrue(false, name + " is not installed");
        throw new AssertionError("not reached");
    }
}

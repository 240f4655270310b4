package org.lagbench.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LinkDirection;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program lagbench-relay: the wire of a link whose packets are delayed, lost, copied or reordered. */
final class Relay {
    private static final JsonMapper JSON = new JsonMapper();

    /** Of what it tells, those that add up from the beginning on. */
    private static final List<String> COUNTS =
            List.of("received", "forwarded", "lost", "duplicated", "reordered", "queueFull", "refused");

    private Relay() {}

    /**
     * Starts a relay; when this returns, its devices are there.
     *
     * @param near namespace and device of the nearer end, {@code namespace/device}
     * @param far the same of the other end
     * @param counts the socket at which it tells its counts
     * @param withThisProcess whether it ends when this process does
     */
    static Process start(
            String near,
            String far,
            LinkDirection forward,
            LinkDirection reverse,
            long seed,
            Path counts,
            boolean withThisProcess)
            throws LagbenchException {
        List<String> command = new ArrayList<>();
        if (!withThisProcess) {
            command.add("setsid"); // no Ctrl-C at this terminal reaches it
        }
        command.addAll(List.of(
                program("lagbench-relay").toString(),
                "--a",
                near,
                "--b",
                far,
                "--a-to-b",
                impairment(forward),
                "--b-to-a",
                impairment(reverse),
                "--seed",
                Long.toString(seed),
                "--counts",
                counts.toString()));
        if (withThisProcess) {
            command.add("--end-with-stdin");
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
            if (!withThisProcess) {
                builder.redirectInput(Path.of("/dev/null").toFile());
            }
            Process process = builder.start();
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            if (!"ready".equals(output.readLine())) {
                throw ChildFailure.ended(
                        process,
                        ExitCode.UNAVAILABLE,
                        "The lab's relay did not start; what it said is above. It needs /dev/net/tun.");
            }
            return process;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The lab's relay cannot be started", e);
        }
    }

    private static String impairment(LinkDirection direction) {
        return String.format(
                Locale.ROOT,
                "%dns,jitter=%dns,loss=%d,duplication=%d,reordering=%d",
                direction.delayNs(),
                direction.jitterNs(),
                direction.lossPpm(),
                direction.duplicationPpm(),
                direction.reorderingPpm());
    }

    /** What a relay has counted so far, by direction ("forward", "reverse") and name. */
    static Map<String, Map<String, Long>> counts(Path socket) throws LagbenchException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            JsonNode counts = JSON.readTree(Channels.newInputStream(channel).readAllBytes());
            Map<String, Map<String, Long>> directions = new LinkedHashMap<>();
            directions.put("forward", numbers(counts.path("aToB")));
            directions.put("reverse", numbers(counts.path("bToA")));
            return directions;
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.BROKEN, "The lab's relay does not answer at " + socket + ": " + e.getMessage() + ".", e);
        }
    }

    private static Map<String, Long> numbers(JsonNode object) {
        Map<String, Long> numbers = new TreeMap<>();
        COUNTS.forEach(name -> numbers.put(name, object.path(name).asLong()));
        return numbers;
    }

    /** A program of the lab's build, in the directory that the system property lagbench.lab names. */
    static Path program(String name) throws LagbenchException {
        @Nullable String property = System.getProperty("lagbench.lab");
        Path file = (property == null ? besideClasses() : Path.of(property).toAbsolutePath()).resolve(name);
        if (!Files.isExecutable(file)) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "A lab with a delay needs " + file
                            + ", which is not there; build it with: mvn -pl lab -am package");
        }
        return file;
    }

    private static Path besideClasses() {
        try {
            Path classes = Path.of(Relay.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.resolveSibling("native").toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }
}

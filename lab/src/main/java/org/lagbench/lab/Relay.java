package org.lagbench.lab;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program lagbench-relay: the wire of a link that delays, loses, duplicates or reorders packets. */
final class Relay {
    private static final JsonMapper JSON = new JsonMapper();

    /** The cumulative ones of its counters. */
    private static final List<String> COUNTERS =
            List.of("received", "forwarded", "lost", "duplicated", "reordered", "queueFull", "refused");

    private Relay() {}

    /**
     * Starts a relay and waits until its devices exist.
     *
     * @param near namespace and device of the nearer end, {@code namespace/device}
     * @param far the same of the other end
     * @param countsSocket Unix socket on which it sends its counters
     * @param endsWithThisProcess whether it ends when this process does
     */
    static Process start(String near, String far, Network network, Path countsSocket, boolean endsWithThisProcess)
            throws LagbenchException {
        ProcessBuilder builder = new ProcessBuilder(NativePrograms.path("lagbench-relay"), "--a", near, "--b", far);
        builder.command().addAll(List.of("--a-to-b", impairment(network.there())));
        builder.command().addAll(List.of("--b-to-a", impairment(network.back())));
        builder.command().addAll(List.of("--seed", Long.toString(network.seed())));
        builder.command().addAll(List.of("--counts", countsSocket.toString()));
        if (endsWithThisProcess) {
            builder.command().add("--end-with-stdin");
        } else {
            builder.command().add(0, "setsid"); // Ctrl-C on this terminal does not reach it
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        return NativePrograms.start("The lab's relay", builder, " It needs /dev/net/tun.");
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

    /** Returns the counters of a relay by direction ("there", "back") and name. */
    static Map<String, Map<String, Long>> counts(Path socket) throws LagbenchException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            JsonNode counts = JSON.readTree(Channels.newInputStream(channel).readAllBytes());
            Map<String, Map<String, Long>> directions = new LinkedHashMap<>();
            directions.put("there", numbers(counts.path("aToB")));
            directions.put("back", numbers(counts.path("bToA")));
            return directions;
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.BROKEN, "The lab's relay does not answer at " + socket + ": " + e.getMessage() + ".", e);
        }
    }

    private static Map<String, Long> numbers(JsonNode object) {
        Map<String, Long> numbers = new TreeMap<>();
        COUNTERS.forEach(name -> numbers.put(name, object.path(name).asLong()));
        return numbers;
    }
}

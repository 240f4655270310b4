package org.lagbench.lab;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Bursts;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Link;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program lagbench-relay: the wire of a link, which also delays, loses, duplicates, reorders or damages packets.
 */
final class Relay {
    private static final JsonMapper JSON = new JsonMapper();

    /** The names of the relay's cumulative counters. */
    private static final List<String> COUNTERS = List.of(
            "received",
            "forwarded",
            "missed",
            "lost",
            "duplicated",
            "reordered",
            "damaged",
            "queueFull",
            "refused",
            "lostInBursts",
            "receivedBytes",
            "forwardedBytes",
            "lostBytes",
            "latenessSumNs",
            "lateOver10us",
            "lateOver100us",
            "lateOver1ms",
            "lateOver2ms",
            "lateOver5ms",
            "lateOver10ms");

    private Relay() {}

    /**
     * Starts a relay and waits until its devices exist.
     *
     * @param near namespace and device of the nearer end, {@code namespace/device}
     * @param far namespace and device of the other end
     * @param forward the direction from the nearer end
     * @param framing the bytes that each frame takes on the wire besides its own
     * @param seed of the random numbers
     * @param countsSocket Unix socket on which it sends its counters
     * @param endsWithThisProcess whether it ends when this process does
     */
    static Process start(
            String near,
            String far,
            LinkDirection forward,
            LinkDirection reverse,
            Network.Framing framing,
            long seed,
            Path countsSocket,
            boolean endsWithThisProcess)
            throws LagbenchException {
        ProcessBuilder builder =
                new ProcessBuilder(NetworkTools.nativeProgram("lagbench-relay"), "--a", near, "--b", far);
        builder.command().addAll(List.of("--a-to-b", impairment(forward, framing)));
        builder.command().addAll(List.of("--b-to-a", impairment(reverse, framing)));
        builder.command().addAll(List.of("--seed", Long.toString(seed)));
        builder.command().addAll(List.of("--counts", countsSocket.toString()));
        if (endsWithThisProcess) {
            builder.command().add("--end-with-stdin");
        } else {
            builder.command().add(0, "setsid"); // so that Ctrl-C on this terminal does not reach the relay
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        return NetworkTools.startNative("The lab's relay", builder, " It needs /dev/net/tun.");
    }

    private static String impairment(LinkDirection direction, Network.Framing framing) {
        String text = String.format(
                Locale.ROOT,
                "%dns,rate=%d,overhead=%d,least=%d,jitter=%dns,loss=%d,duplication=%d,reordering=%d"
                        + ",reordering-delay=%dns,damage=%d",
                direction.delayNs(),
                direction.rateBitsPerS(),
                framing.overheadBytes(),
                framing.minBytes(direction),
                direction.jitterNs(),
                direction.lossPpm(),
                direction.duplicationPpm(),
                direction.reorderingPpm(),
                direction.reorderingDelayNs(),
                direction.damagePpm());
        Bursts bursts = direction.bursts();
        if (bursts != null) {
            text += String.format(
                    Locale.ROOT,
                    ",every=%dns,for=%dns,exponential=%d",
                    bursts.everyNs(),
                    bursts.forNs(),
                    bursts.lengths() == Bursts.Lengths.EXPONENTIAL ? 1 : 0);
        }
        return text
                + direction.outages().stream()
                        .map(outage -> ",outage=" + outage.startNs() + "ns-" + outage.stopNs() + "ns")
                        .collect(Collectors.joining());
    }

    /** Begins the times of bursts and outages at a time, CLOCK_REALTIME in ns, with bursts drawn from the seed. */
    static void begin(Path socket, long dueNs, long seed) throws LagbenchException {
        request(socket, "begin " + dueNs + " " + seed);
    }

    /** Ends the times of bursts and outages. */
    static void end(Path socket) throws LagbenchException {
        request(socket, "end");
    }

    /** Returns the counters of both directions of a relay. */
    static List<Station> counts(Link link, Path socket) throws LagbenchException {
        JsonNode counts = request(socket, "counts");
        return List.of(
                new Station(place(link, link.near(), "forward"), numbers(counts.path("aToB"))),
                new Station(place(link, link.far(), "reverse"), numbers(counts.path("bToA"))));
    }

    /** Sends a request and returns the counters, which are the reply to each. */
    private static JsonNode request(Path socket, String line) throws LagbenchException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            Channels.newOutputStream(channel).write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            byte[] json = Channels.newInputStream(channel).readAllBytes();
            if (json.length == 0) {
                throw new EOFException("it has ended");
            }
            return JSON.readTree(json);
        } catch (IOException | JacksonException e) {
            throw ExitCode.BROKEN.failure(
                    "The lab's relay does not answer at " + socket + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    private static String place(Link link, End from, String direction) {
        return "relay "
                + (link.isEdge() ? from.node() + " to " + link.other(from).node() : direction);
    }

    private static Map<String, Long> numbers(JsonNode object) {
        Map<String, Long> numbers = new TreeMap<>();
        COUNTERS.forEach(name -> numbers.put(name, object.path(name).asLong()));
        return numbers;
    }
}

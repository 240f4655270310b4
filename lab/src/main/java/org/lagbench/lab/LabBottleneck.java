package org.lagbench.lab;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.lab.Network;

/**
 * The counters of a lab's slow link, at the interface that sends to it: of the kernel, and of an SNMP agent (Net-SNMP's
 * snmpd) in the namespace of that router or host.
 */
public final class LabBottleneck implements AutoCloseable {
    private static final String AGENT = "snmpd";
    private static final List<Path> AGENT_DIRECTORIES = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

    private final Bottleneck bottleneck;
    private final Process holder;
    private final @Nullable Process agent;
    private final @Nullable Path agentDirectory;

    private LabBottleneck(
            Bottleneck bottleneck, Process holder, @Nullable Process agent, @Nullable Path agentDirectory) {
        this.bottleneck = bottleneck;
        this.holder = holder;
        this.agent = agent;
        this.agentDirectory = agentDirectory;
    }

    /** Returns whether Net-SNMP's agent is installed. */
    public static boolean hasAgent() {
        return agentProgram() != null;
    }

    private static @Nullable Path agentProgram() {
        Stream<Path> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(directory -> !directory.isEmpty())
                .map(Path::of);
        return Stream.concat(path, AGENT_DIRECTORIES.stream())
                .map(directory -> directory.resolve(AGENT))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * Makes the counters of a lab's slow link readable.
     *
     * @param withAgent whether to start an SNMP agent
     */
    static LabBottleneck start(LabState lab, Network network, boolean withAgent) throws LagbenchException {
        boolean isDumbbell = network.topology() == Network.Topology.DUMBBELL;
        LabPlan.Link link = LabPlan.of(network, false).links().stream()
                .filter(candidate -> !candidate.isEdge())
                .findFirst()
                .orElseThrow();
        if (network.forward().rateBitsPerS() == 0) {
            throw new LagbenchException(
                    ExitCode.USAGE, "The network " + network.name() + " has no rate, and so no available bandwidth.");
        }
        String namespace = lab.namespace(link.near().node());
        Path directory = null;
        Process agent = null;
        Process holder;
        try {
            if (withAgent) {
                directory = Files.createTempDirectory("lagbench-snmpd");
                agent = startAgent(namespace, directory);
            }
            // A process in the namespace, so that /proc/PID/net/dev has its interfaces. It ends with this process. The
            // lab ends both processes if this one cannot.
            holder = new ProcessBuilder("ip", "netns", "exec", namespace, "cat")
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw ChildFailure.notStarted("The counters of the lab's link cannot be read", e);
        }
        String host = isDumbbell
                ? LabPlan.of(network, false).links().get(0).far().address()
                : link.near().address();
        Bottleneck bottleneck = new Bottleneck(
                link.near().device(),
                network.forward().rateBitsPerS(),
                Math.toIntExact(Qdiscs.overheadBytes(network.framing())),
                "/proc/" + holder.pid() + "/net/dev",
                withAgent ? host : "",
                "public");
        return new LabBottleneck(bottleneck, holder, agent, directory);
    }

    private static Process startAgent(String namespace, Path directory) throws IOException, LagbenchException {
        Path program = agentProgram();
        if (program == null) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The SNMP agent snmpd is not installed; install it (on Debian: apt-get install snmpd).");
        }
        Path configuration = directory.resolve("snmpd.conf");
        Files.writeString(configuration, "rocommunity public\n");
        ProcessBuilder builder = new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                namespace,
                program.toString(),
                "-f",
                "-Lf",
                "/dev/null",
                "-C",
                "-c",
                configuration.toString(),
                "udp:161");
        builder.environment().putAll(Map.of("SNMP_PERSISTENT_DIR", directory.toString(), "MIBS", ""));
        return builder.redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    /** Returns where the counters are. */
    public Bottleneck bottleneck() {
        return bottleneck;
    }

    @Override
    public void close() throws LagbenchException {
        holder.destroy();
        Uninterruptibly.awaitEnd(holder);
        if (agent != null) {
            agent.destroy();
            Uninterruptibly.awaitEnd(agent);
        }
        if (agentDirectory != null) {
            delete(agentDirectory);
        }
    }

    private static void delete(Path directory) throws LagbenchException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be deleted", e);
        }
    }
}

package org.lagbench.lab;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.model.Network;

/**
 * The counters of a lab's slow link: the kernel's, and those of an SNMP agent (Net-SNMP's snmpd). They are the counters
 * of the interface that receives from the link, because kernels do not count the bytes that a TAP device sends to the
 * relay. The agent runs in the namespace of that interface. A separate link connects the sender with the agent.
 *
 * @param bottleneck the link with the places of its counters
 * @param holder a process in the namespace of the interface
 * @param agent null without an agent
 * @param agentDirectory the agent's configuration; null without an agent
 * @param linkNamespace the namespace of the sender's end of the agent's link; empty if there is none
 */
public record LabBottleneck(
        Bottleneck bottleneck,
        Process holder,
        @Nullable Process agent,
        @Nullable Path agentDirectory,
        String linkNamespace)
        implements AutoCloseable {
    private static final String AGENT = "snmpd";
    private static final String LINK = "agent";
    private static final String SENDER_ADDRESS = "10.139.250.1";
    private static final String AGENT_ADDRESS = "10.139.250.2";
    private static final List<Path> AGENT_DIRECTORIES = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

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
     * Opens the counters of a lab's slow link.
     *
     * @param withAgent whether to start an SNMP agent
     */
    static LabBottleneck start(LabState lab, Network network, boolean withAgent) throws LagbenchException {
        LabPlan.End end = lab.plan().links().stream()
                .filter(link -> !link.isEdge())
                .reduce((former, latter) -> latter)
                .orElseThrow()
                .far();
        if (network.forward().rateBitsPerS() == 0) {
            throw ExitCode.USAGE.failure(
                    "The network " + network.name() + " has no rate, and so no available bandwidth.");
        }
        String namespace = lab.namespace(end.node());
        String sender = lab.namespace(LabPlan.SENDER);
        Path directory = null;
        Process agent = null;
        Process holder;
        try {
            if (withAgent) {
                addLink(sender, namespace);
                directory = Files.createTempDirectory("lagbench-snmpd");
                agent = startAgent(namespace, directory);
            }
            // A process in the namespace, so that /proc/PID/net/dev lists the interfaces of the namespace. It ends with
            // the current process. The lab ends it and the agent if the current process does not.
            holder = new ProcessBuilder("ip", "netns", "exec", namespace, "cat")
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw ChildFailure.notStarted("The counters of the lab's link cannot be read", e);
        }
        Bottleneck bottleneck = new Bottleneck(
                end.device(),
                true,
                network.forward().rateBitsPerS(),
                network.framing().overheadBytes(),
                "/proc/" + holder.pid() + "/net/dev",
                withAgent ? AGENT_ADDRESS : "",
                "public");
        return new LabBottleneck(bottleneck, holder, agent, directory, withAgent ? sender : "");
    }

    /** Adds a link from the sender's to the agent's namespace. No measured packet uses it. */
    private static void addLink(String sender, String agent) throws LagbenchException {
        NetworkTools.run(
                "ip link add " + LINK + " netns " + sender + " type veth peer name " + LINK + " netns " + agent);
        for (String end : List.of(sender + " " + SENDER_ADDRESS, agent + " " + AGENT_ADDRESS)) {
            String[] parts = end.split(" ", 2);
            NetworkTools.run("ip -n " + parts[0] + " addr add " + parts[1] + "/24 dev " + LINK);
            NetworkTools.run("ip -n " + parts[0] + " link set " + LINK + " up");
        }
    }

    private static Process startAgent(String namespace, Path directory) throws IOException, LagbenchException {
        Path program = agentProgram();
        if (program == null) {
            throw ExitCode.UNAVAILABLE.failure(
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

    @Override
    public void close() throws LagbenchException {
        holder.destroy();
        Uninterruptibly.awaitEnd(holder);
        if (agent != null) {
            agent.destroy();
            Uninterruptibly.awaitEnd(agent);
        }
        if (agentDirectory != null) {
            FileTree.delete(agentDirectory);
        }
        if (!linkNamespace.isEmpty()) {
            NetworkTools.attempt(List.of("ip", "-n", linkNamespace, "link", "delete", LINK), "");
        }
    }
}

package org.lagbench.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Kind;
import org.lagbench.lab.LabPlan.Link;

/** Creates the namespaces and links of a network. */
final class LabBuilder {
    /**
     * Settings of each namespace: routers forward; no IPv6 router solicitation is sent during a measurement; a TCP
     * connection does not begin with the metrics of an earlier one.
     */
    private static final String SETTINGS =
            "cd /proc/sys/net && echo 1 >ipv6/conf/all/disable_ipv6 && echo 1 >ipv6/conf/default/disable_ipv6 &&"
                    + " echo 1 >ipv4/ip_forward && echo 1 >ipv4/tcp_no_metrics_save && ip link set lo up";

    private LabBuilder() {}

    /**
     * Creates a network. Removes abandoned labs first.
     *
     * @param owner the process with which the lab ends; null if the lab stays
     * @throws LagbenchException if this user or machine cannot create it; nothing of it remains
     */
    static LabState create(Network network, String name, LabState.@Nullable ProcessId owner) throws LagbenchException {
        LabState state = LabDirectory.locked(() -> {
            LabDirectory.removeAbandoned();
            if (LabDirectory.named(name).isPresent()) {
                throw ExitCode.USAGE.failure("There is a lab " + name + " already: remove it with lagbench lab down "
                        + name + ", or choose another name with --name.");
            }
            LabPlan plan = LabPlan.of(network, usesNetem(network, LabState.namespace(name, "probe")));
            LabState planned =
                    new LabState(LabState.FORMAT, name, owner, NetworkReader.format(network), plan, List.of());
            LabDirectory.write(planned);
            return planned;
        });
        try {
            return build(network, state);
        } catch (LagbenchException e) {
            LabDirectory.remove(LabDirectory.named(name)
                    .orElse(state)); // the state on disk, which lists the relays already started
            throw e;
        }
    }

    /** Returns whether netem emulates the link that the network describes, after checking that the kernel has it. */
    private static boolean usesNetem(Network network, String probe) throws LagbenchException {
        boolean canChoose = network.backend() == Network.ImpairmentBackend.AUTO;
        if (!LabPlan.isEmulated(network.forward(), network.reverse(), network.backend())
                || network.backend() == Network.ImpairmentBackend.RELAY
                || (canChoose && (needsRelay(network.forward()) || needsRelay(network.reverse())))) {
            return false;
        }
        NetworkTools.attempt(List.of("ip", "netns", "delete", probe), ""); // left if a process was killed
        NetworkTools.run("ip netns add " + probe);
        NetworkTools.Result result;
        try {
            result = NetworkTools.attempt(
                    List.of("tc", "-n", probe, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"), "");
        } finally {
            NetworkTools.run("ip netns delete " + probe);
        }
        if (result.exitCode() != 0 && network.backend() == Network.ImpairmentBackend.NETEM) {
            throw ExitCode.UNAVAILABLE.failure(
                    "The network has backend: netem, which this kernel does not support (modprobe"
                            + " sch_netem); backend: auto"
                            + " takes the lab's own relay instead.");
        }
        return result.exitCode() == 0;
    }

    /**
     * Returns whether the relay is better than netem: it measures its wire, and its jitter does not reorder packets; or
     * only the relay supports the impairment.
     */
    private static boolean needsRelay(LinkDirection direction) {
        return direction.rateBitsPerS() > 0 || direction.jitterNs() > 0 || direction.needsRelay();
    }

    private static LabState build(Network network, LabState planned) throws LagbenchException {
        for (String namespace : planned.namespaces().values()) {
            NetworkTools.run("ip netns add " + namespace);
            NetworkTools.run(List.of("ip", "netns", "exec", namespace, "sh", "-c", SETTINGS), "");
        }
        LabState state = planned;
        LabPlan plan = planned.plan();
        List<Link> links = new ArrayList<>(plan.links());
        links.add(plan.control());
        for (Link link : links) {
            End near = link.near();
            End far = link.far();
            if (link.kind() == Kind.RELAY) {
                Process process = Relay.start(
                        state.namespace(near.node()) + "/" + near.device(),
                        state.namespace(far.node()) + "/" + far.device(),
                        Objects.requireNonNull(near.shaped()),
                        Objects.requireNonNull(far.shaped()),
                        network.framing(),
                        network.seed(),
                        LabDirectory.file(
                                state.name(), LabState.socket(state.relays().size())),
                        state.owner() != null);
                state = state.withRelay(LabState.ProcessId.of(process.pid()));
                LabDirectory.write(state);
                for (End end : List.of(near, far)) {
                    batch("ip", state, end.node(), "link set dev " + end.device() + " gso_max_segs 1");
                }
            } else {
                // Without segmentation offload: each frame passes singly, as on a wire.
                batch(
                        "ip",
                        state,
                        near.node(),
                        "link add name " + near.device() + " gso_max_segs 1 type veth peer name " + far.device()
                                + " gso_max_segs 1 netns " + state.namespace(far.node()));
                keepOrder(near, state);
                keepOrder(far, state);
            }
            setUp(near, far, state);
            setUp(far, near, state);
        }
        for (Link link : plan.links()) {
            shape(link, link.near(), network, state);
            shape(link, link.far(), network, state);
        }
        for (String node : plan.nodes()) {
            List<String> routes = new ArrayList<>();
            plan.routes(node).forEach((to, via) -> routes.add("route add " + to + ".0/24 via " + via));
            batch("ip", state, node, String.join("\n", routes));
        }
        if (network.initialWindow() != Network.AUTO_WINDOW) {
            setInitialWindow(network.initialWindow(), state);
        }
        return state;
    }

    /** Sets the initial window of connections between sender and receiver, by an attribute of their routes. */
    private static void setInitialWindow(int segments, LabState state) throws LagbenchException {
        LabPlan plan = state.plan();
        for (String host : List.of(LabPlan.SENDER, LabPlan.RECEIVER)) {
            String destination = plan.address(host.equals(LabPlan.SENDER) ? LabPlan.RECEIVER : LabPlan.SENDER);
            String via = plan.routes(host).entrySet().stream()
                    .filter(route -> destination.startsWith(route.getKey() + "."))
                    .map(route -> " via " + route.getValue())
                    .findFirst()
                    .orElse(" dev "
                            + plan.links().stream()
                                    .filter(link -> link.isAt(host))
                                    .findFirst()
                                    .orElseThrow()
                                    .endAt(host)
                                    .device());
            batch(
                    "ip",
                    state,
                    host,
                    "route add " + destination + "/32" + via + " initcwnd " + segments + " quickack 1");
        }
    }

    /**
     * Keeps the order of packets. By default the CPU that sends a packet, or whose timer releases it from a queue, also
     * receives it at the other end of a veth link. So packets of two CPUs can overtake each other. Receive packet
     * steering to CPU 0, which every machine has, prevents that. Some kernels and containers do not support it.
     */
    private static void keepOrder(End end, LabState state) throws LagbenchException {
        String cpus = "/sys/class/net/" + end.device() + "/queues/rx-0/rps_cpus";
        NetworkTools.run(
                List.of(
                        "ip",
                        "netns",
                        "exec",
                        state.namespace(end.node()),
                        "sh",
                        "-c",
                        "[ ! -w " + cpus + " ] || echo 1 >" + cpus),
                "");
    }

    /** Sets a device up, with a permanent ARP entry for the other end, so that no packet waits for ARP. */
    private static void setUp(End end, End other, LabState state) throws LagbenchException {
        batch(
                "ip",
                state,
                end.node(),
                "link set dev " + end.device() + " address " + end.hardwareAddress() + " multicast off up\n"
                        + "address add " + end.address() + "/24 dev " + end.device() + "\n"
                        + "neigh add " + other.address() + " lladdr " + other.hardwareAddress() + " dev "
                        + end.device() + " nud permanent");
    }

    private static void shape(Link link, End end, Network network, LabState state) throws LagbenchException {
        List<String> lines = new ArrayList<>();
        if (end.shaped() != null) {
            boolean hasWire = link.kind() == Kind.RELAY || link.isAt(LabPlan.WIRE);
            lines.addAll(Qdiscs.shaping(end.device(), end.shaped(), network.framing(), hasWire));
        }
        if (end.impaired() != null) {
            lines.add(Qdiscs.impairing(end.device(), end.impaired(), network.framing()));
        }
        batch("tc", state, end.node(), String.join("\n", lines));
    }

    private static void batch(String program, LabState state, String node, String lines) throws LagbenchException {
        if (!lines.isEmpty()) {
            NetworkTools.run(List.of(program, "-n", state.namespace(node), "-batch", "-"), lines + "\n");
        }
    }
}

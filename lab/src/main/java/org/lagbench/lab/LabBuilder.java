package org.lagbench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.yaml.NetworkReader;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Kind;
import org.lagbench.lab.LabPlan.Link;
import org.lagbench.lab.LabState.RelayPlace;
import org.lagbench.lab.LabState.StationPlace;

/** Creates the namespaces and links of a network. */
final class LabBuilder {
    private static final String NAMESPACE_PREFIX = "lagbench-lab-";

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
    static LabState create(Network network, String name, @Nullable ProcessId owner) throws LagbenchException {
        Privileges.require();
        LabPlan plan = LabDirectory.locked(() -> {
            LabRemoval.removeAbandoned();
            if (LabDirectory.named(name).isPresent()) {
                throw ExitCode.USAGE.failure("There is a lab " + name + " already: remove it with lagbench lab down "
                        + name + ", or choose another name with --name.");
            }
            LabPlan planned = LabPlan.of(network, usesNetem(network, NAMESPACE_PREFIX + name + "-probe"));
            LabDirectory.write(describe(network, name, owner, planned));
            return planned;
        });
        LabState state = describe(network, name, owner, plan);
        try {
            return build(network, plan, state);
        } catch (LagbenchException e) {
            LabRemoval.remove(state);
            throw e;
        }
    }

    private static LabState describe(Network network, String name, @Nullable ProcessId owner, LabPlan plan) {
        Map<String, String> namespaces = new LinkedHashMap<>();
        plan.nodes().forEach(node -> namespaces.put(node, NAMESPACE_PREFIX + name + "-" + node));
        Map<String, String> addresses = new LinkedHashMap<>();
        plan.nodes().stream()
                .filter(node -> List.of(LabPlan.SENDER, LabPlan.RECEIVER, LabPlan.RIVAL_SENDER, LabPlan.RIVAL_RECEIVER)
                        .contains(node))
                .forEach(node -> addresses.put(node, plan.address(node)));
        network.sites().forEach(site -> addresses.put(site.name(), plan.address(site.name())));
        addresses.put("control", plan.control().far().address());
        addresses.put("control-sender", plan.control().near().address());
        List<StationPlace> stations = new ArrayList<>();
        List<RelayPlace> relays = new ArrayList<>();
        for (Link link : plan.links()) {
            for (End end : List.of(link.near(), link.far())) {
                String namespace = String.valueOf(namespaces.get(end.node()));
                String to = link.other(end).node();
                if (end.shaped() != null && end.shaped().rateBitsPerS() > 0) {
                    stations.add(new StationPlace("queue of " + end.node() + " to " + to, namespace, end.device()));
                } else if (end.impaired() != null) {
                    stations.add(new StationPlace("netem to " + to, namespace, end.device()));
                }
            }
            if (link.kind() == Kind.RELAY) {
                relays.add(relay(link, relays.size() + 1));
            }
        }
        return new LabState(
                LabState.FORMAT, name, owner, NetworkReader.format(network), namespaces, addresses, stations, relays);
    }

    private static RelayPlace relay(Link link, int number) {
        String near = link.near().node();
        String far = link.far().node();
        return new RelayPlace(
                link.isEdge() ? "relay " + near + " to " + far : "relay forward",
                link.isEdge() ? "relay " + far + " to " + near : "relay reverse",
                ".relay" + number,
                null);
    }

    /** Returns whether netem emulates the link that the network describes, after checking that the kernel has it. */
    private static boolean usesNetem(Network network, String probe) throws LagbenchException {
        boolean canChoose = network.backend() == Network.ImpairmentBackend.AUTO;
        if (!LabPlan.isEmulated(network.forward(), network.reverse(), network.backend())
                || network.backend() == Network.ImpairmentBackend.RELAY
                || (canChoose && (needsRelay(network.forward()) || needsRelay(network.reverse())))) {
            return false;
        }
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

    /** Returns whether the relay is better: it measures its wire, and netem's jitter reorders packets. */
    private static boolean needsRelay(LinkDirection direction) {
        return direction.rateBitsPerS() > 0 || direction.jitterNs() > 0;
    }

    private static LabState build(Network network, LabPlan plan, LabState planned) throws LagbenchException {
        for (String namespace : planned.namespaces().values()) {
            NetworkTools.run("ip netns add " + namespace);
            NetworkTools.run(List.of("ip", "netns", "exec", namespace, "sh", "-c", SETTINGS), "");
        }
        LabState state = planned;
        List<RelayPlace> relays = new ArrayList<>(planned.relays());
        int relaysStarted = 0;
        List<Link> links = new ArrayList<>(plan.links());
        links.add(plan.control());
        for (Link link : links) {
            End near = link.near();
            End far = link.far();
            if (link.kind() == Kind.RELAY) {
                RelayPlace relay = relays.get(relaysStarted);
                Process process = Relay.start(
                        state.namespace(near.node()) + "/" + near.device(),
                        state.namespace(far.node()) + "/" + far.device(),
                        Objects.requireNonNull(near.shaped()),
                        Objects.requireNonNull(far.shaped()),
                        network.framing(),
                        network.seed(),
                        LabDirectory.file(state.name(), relay.socket()),
                        state.owner() != null);
                relays.set(relaysStarted++, relay.running(ProcessId.of(process.pid())));
                state = state.withRelays(relays);
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
            setInitialWindow(network.initialWindow(), plan, state);
        }
        return state;
    }

    /** Sets the initial window of connections between sender and receiver, by an attribute of their routes. */
    private static void setInitialWindow(int segments, LabPlan plan, LabState state) throws LagbenchException {
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
     * receives it at the other end of a veth link, so that packets of two CPUs can overtake each other. Receive packet
     * steering to CPU 0, the only CPU of every machine, prevents that. Some kernels and containers do not support it.
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

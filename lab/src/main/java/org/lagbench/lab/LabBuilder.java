package org.lagbench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.NetworkText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.Network;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Kind;
import org.lagbench.lab.LabPlan.Link;
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
     * @param owner the process that it ends with; null if it stays
     * @throws LagbenchException if this user or machine cannot create it; nothing of it remains
     */
    static LabState create(Network network, String name, @Nullable ProcessId owner) throws LagbenchException {
        Privileges.require();
        LabPlan plan = LabDirectory.locked(() -> {
            LabRemoval.removeAbandoned();
            if (LabDirectory.named(name).isPresent()) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "There is a lab " + name + " already: remove it with lagbench lab down " + name
                                + ", or choose another name with --name.");
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
        addresses.put("control", plan.control().far().address());
        addresses.put("control-sender", plan.control().near().address());
        List<StationPlace> stations = new ArrayList<>();
        for (Link link : plan.links()) {
            for (End end : List.of(link.near(), link.far())) {
                String namespace = String.valueOf(namespaces.get(end.node()));
                String to = link.other(end).node();
                if (end.shaped() != null && end.shaped().rateBitsPerS() > 0) {
                    stations.add(
                            new StationPlace(true, "queue of " + end.node() + " to " + to, namespace, end.device()));
                } else if (end.impaired() != null) {
                    stations.add(new StationPlace(true, "netem to " + to, namespace, end.device()));
                }
                if (link.kind() == Kind.RELAY) {
                    // If the relay reads packets too late, the device drops them.
                    stations.add(
                            new StationPlace(false, "device of " + end.node() + " to " + to, namespace, end.device()));
                }
            }
        }
        return new LabState(
                LabState.FORMAT, name, owner, NetworkText.yaml(network), namespaces, addresses, stations, null);
    }

    /** Returns whether netem impairs the packets, after checking that the kernel has it. */
    private static boolean usesNetem(Network network, String probe) throws LagbenchException {
        boolean impaired = network.forward().isImpaired() || network.reverse().isImpaired();
        boolean jitter = network.forward().jitterNs() > 0 || network.reverse().jitterNs() > 0;
        if (!impaired
                || network.backend() == Network.ImpairmentBackend.RELAY
                || (network.backend() == Network.ImpairmentBackend.AUTO && jitter)) {
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
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The network orders backend: netem, which this kernel does not have (modprobe"
                            + " sch_netem); backend: auto"
                            + " takes the lab's own relay instead.");
        }
        return result.exitCode() == 0;
    }

    private static LabState build(Network network, LabPlan plan, LabState planned) throws LagbenchException {
        for (String namespace : planned.namespaces().values()) {
            NetworkTools.run("ip netns add " + namespace);
            NetworkTools.run(List.of("ip", "netns", "exec", namespace, "sh", "-c", SETTINGS), "");
        }
        LabState state = planned;
        List<Link> links = new ArrayList<>(plan.links());
        links.add(plan.control());
        for (Link link : links) {
            End near = link.near();
            End far = link.far();
            if (link.kind() == Kind.RELAY) {
                Process relay = Relay.start(
                        state.namespace(near.node()) + "/" + near.device(),
                        state.namespace(far.node()) + "/" + far.device(),
                        network,
                        LabDirectory.file(state.name(), ".relay"),
                        state.owner() != null);
                state = state.withRelay(ProcessId.of(relay.pid()));
                LabDirectory.write(state);
            } else {
                // One frame at a time, as on a wire: no segmentation offload.
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
            shape(link.near(), network, state);
            shape(link.far(), network, state);
        }
        for (String node : plan.nodes()) {
            List<String> routes = new ArrayList<>();
            plan.routes(node).forEach((to, via) -> routes.add("route add " + to + ".0/24 via " + via));
            batch("ip", state, node, String.join("\n", routes));
        }
        return state;
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

    private static void shape(End end, Network network, LabState state) throws LagbenchException {
        List<String> lines = new ArrayList<>();
        if (end.shaped() != null) {
            lines.addAll(Qdiscs.shaping(end.device(), end.shaped(), network.framing()));
        }
        if (end.impaired() != null) {
            lines.add(Qdiscs.impairing(end.device(), end.impaired()));
        }
        batch("tc", state, end.node(), String.join("\n", lines));
    }

    private static void batch(String program, LabState state, String node, String lines) throws LagbenchException {
        if (!lines.isEmpty()) {
            NetworkTools.run(List.of(program, "-n", state.namespace(node), "-batch", "-"), lines + "\n");
        }
    }
}

package org.lagbench.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.NetworkText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.Network;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Kind;
import org.lagbench.lab.LabPlan.Link;
import org.lagbench.lab.LabState.StationPlace;

/** Makes namespaces, and the links between them, of a network's plan. */
final class LabBuilder {
    private static final String NAMESPACE_PREFIX = "lagbench-lab-";

    private LabBuilder() {}

    /**
     * Makes a network. What is left of an earlier process is removed first.
     *
     * @param owner the process that it ends with; null for one that stays
     * @return what is to be known of it
     * @throws LagbenchException if this user or machine cannot make it; nothing is left of it
     */
    static LabState make(Network network, String name, @Nullable ProcessId owner) throws LagbenchException {
        Privileges.demand();
        LabState state;
        LabPlan plan;
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            LabRemoval.removeAbandoned();
            if (LabDirectory.named(name).isPresent()) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "There is a lab " + name + " already: lagbench lab down " + name
                                + ", or give this one another name with --name.");
            }
            boolean netem = usesNetem(network, NAMESPACE_PREFIX + name + "-probe");
            plan = LabPlan.of(network, netem);
            state = state(network, name, owner, plan);
            LabDirectory.write(state);
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + IoErrors.reason(e) + ".", e);
        }
        try {
            return build(network, plan, state);
        } catch (LagbenchException e) {
            LabRemoval.remove(state);
            throw e;
        }
    }

    private static LabState state(Network network, String name, @Nullable ProcessId owner, LabPlan plan) {
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
                String to = (end.equals(link.near()) ? link.far() : link.near()).node();
                if (end.shaped() != null && end.shaped().rateBitsPerS() > 0) {
                    stations.add(station("queue of " + end.node() + " to " + to, namespaces, end));
                } else if (end.impaired() != null) {
                    stations.add(station("netem to " + to, namespaces, end));
                }
                if (link.kind() == Kind.RELAY) {
                    // What the relay takes too late, the device has no room for.
                    stations.add(new StationPlace(
                            false,
                            "device of " + end.node() + " to " + to,
                            Objects.requireNonNull(namespaces.get(end.node())),
                            end.device()));
                }
            }
        }
        return new LabState(
                LabState.FORMAT, name, owner, NetworkText.yaml(network), namespaces, addresses, stations, null);
    }

    private static StationPlace station(String place, Map<String, String> namespaces, End end) {
        return new StationPlace(true, place, Objects.requireNonNull(namespaces.get(end.node())), end.device());
    }

    /** Decides what impairs packets: asks the kernel for netem if it may be used. */
    private static boolean usesNetem(Network network, String probe) throws LagbenchException {
        boolean impaired = network.forward().isImpaired() || network.reverse().isImpaired();
        boolean jitter = network.forward().jitterNs() > 0 || network.reverse().jitterNs() > 0;
        if (!impaired
                || network.backend() == Network.ImpairmentBackend.RELAY
                || (network.backend() == Network.ImpairmentBackend.AUTO && jitter)) {
            return false;
        }
        NetworkTools.run(List.of("ip", "netns", "add", probe));
        NetworkTools.Result result;
        try {
            result = NetworkTools.attempt(
                    List.of("tc", "-n", probe, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"), "");
        } finally {
            NetworkTools.run(List.of("ip", "netns", "delete", probe));
        }
        if (result.exitCode() != 0 && network.backend() == Network.ImpairmentBackend.NETEM) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The network has backend: netem, which this kernel does not have (modprobe sch_netem); use backend:"
                            + " auto, which falls back to the lab's own relay.");
        }
        return result.exitCode() == 0;
    }

    private static LabState build(Network network, LabPlan plan, LabState begun) throws LagbenchException {
        Map<String, String> namespaces = begun.namespaces();
        for (String namespace : namespaces.values()) {
            NetworkTools.run(List.of("ip", "netns", "add", namespace));
            NetworkTools.run(List.of("ip", "netns", "exec", namespace, "sh", "-c", settings()));
        }
        LabState state = begun;
        List<Link> links = new ArrayList<>(plan.links());
        links.add(plan.control());
        for (Link link : links) {
            if (link.kind() == Kind.RELAY) {
                Process relay = Relay.start(
                        namespaces.get(link.near().node()) + "/" + link.near().device(),
                        namespaces.get(link.far().node()) + "/" + link.far().device(),
                        network.forward(),
                        network.reverse(),
                        network.seed(),
                        LabDirectory.file(begun.name(), ".relay"),
                        begun.owner() != null);
                state = begun.withRelay(ProcessId.of(relay.pid()));
                LabDirectory.write(state);
            } else {
                veth(link, namespaces);
                keepOrder(link.near(), namespaces);
                keepOrder(link.far(), namespaces);
            }
            up(link.near(), link.far(), namespaces);
            up(link.far(), link.near(), namespaces);
        }
        for (Link link : plan.links()) {
            shape(link.near(), network, namespaces);
            shape(link.far(), network, namespaces);
        }
        for (String node : plan.nodes()) {
            StringBuilder routes = new StringBuilder();
            plan.routes(node).forEach((to, via) -> routes.append("route add ")
                    .append(to)
                    .append(".0/24 via ")
                    .append(via)
                    .append('\n'));
            batch("ip", namespaces, node, routes.toString());
        }
        return state;
    }

    /**
     * What holds in each namespace: routers forward; nobody asks for IPv6 routers in the middle of a measurement; a TCP
     * connection does not begin with what an earlier one learnt; packets may be sent in any order (ping).
     */
    private static String settings() {
        return "cd /proc/sys/net && echo 1 >ipv6/conf/all/disable_ipv6 && echo 1 >ipv6/conf/default/disable_ipv6 &&"
                + " echo 1 >ipv4/ip_forward && echo 1 >ipv4/tcp_no_metrics_save && ip link set lo up";
    }

    /** Frames as they are on a wire: no device takes several packets for one. */
    private static void veth(Link link, Map<String, String> namespaces) throws LagbenchException {
        End near = link.near();
        End far = link.far();
        NetworkTools.run(List.of(
                "ip",
                "-n",
                Objects.requireNonNull(namespaces.get(near.node())),
                "link",
                "add",
                "name",
                near.device(),
                "gso_max_segs",
                "1",
                "type",
                "veth",
                "peer",
                "name",
                far.device(),
                "gso_max_segs",
                "1",
                "netns",
                Objects.requireNonNull(namespaces.get(far.node()))));
    }

    /**
     * A packet that leaves a veth device is taken at the other end by the CPU that sent it, or whose timer found its
     * tokens there; one sent from another CPU after it may be taken before it. So one CPU takes all that comes (RPS,
     * which not every kernel has and not every container may set; 0, which alone is always there).
     */
    private static void keepOrder(End end, Map<String, String> namespaces) throws LagbenchException {
        String cpus = "/sys/class/net/" + end.device() + "/queues/rx-0/rps_cpus";
        NetworkTools.run(List.of(
                "ip",
                "netns",
                "exec",
                Objects.requireNonNull(namespaces.get(end.node())),
                "sh",
                "-c",
                "[ ! -w " + cpus + " ] || echo 1 >" + cpus));
    }

    /** The other end's Ethernet address is known from the first packet on. */
    private static void up(End end, End other, Map<String, String> namespaces) throws LagbenchException {
        batch(
                "ip",
                namespaces,
                end.node(),
                "link set dev " + end.device() + " address " + end.hardwareAddress() + " multicast off up\n"
                        + "address add " + end.address() + "/24 dev " + end.device() + "\n"
                        + "neighbour add " + other.address() + " lladdr " + other.hardwareAddress() + " dev "
                        + end.device() + " nud permanent\n");
    }

    private static void shape(End end, Network network, Map<String, String> namespaces) throws LagbenchException {
        List<String> lines = new ArrayList<>();
        if (end.shaped() != null) {
            lines.addAll(Qdiscs.shaping(end.device(), end.shaped(), network.framing()));
        }
        if (end.impaired() != null) {
            lines.add(Qdiscs.impairing(end.device(), end.impaired()));
        }
        batch("tc", namespaces, end.node(), String.join("\n", lines));
    }

    private static void batch(String program, Map<String, String> namespaces, String node, String lines)
            throws LagbenchException {
        if (!lines.isBlank()) {
            NetworkTools.run(
                    List.of(program, "-n", Objects.requireNonNull(namespaces.get(node)), "-batch", "-"),
                    lines.strip() + "\n");
        }
    }
}

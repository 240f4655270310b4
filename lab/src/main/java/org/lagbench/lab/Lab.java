package org.lagbench.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.NetworkText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.FileTrouble;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.CompetingFlow;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Station;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Kind;
import org.lagbench.lab.LabPlan.Link;
import org.lagbench.lab.LabState.StationPlace;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A network of namespaces on this machine. Its names are its own, so that any number of labs can be there at once; no
 * address or device of it is seen outside. Used by one thread, but for the competing flows.
 */
public final class Lab implements AutoCloseable {
    private static final String NAMESPACE_PREFIX = "lagbench-lab-";
    private static final int KEY_BYTES = 32;
    private static final long GRACE_S = 5;
    private static final JsonMapper JSON = new JsonMapper();

    private final LabState state;
    private final List<Flow> flows;

    private Lab(LabState state) {
        this(state, List.of());
    }

    private Lab(LabState state, List<Flow> flows) {
        this.state = state;
        this.flows = List.copyOf(flows);
    }

    /**
     * Makes a network that ends with this process, with its competing flows. What is left of an earlier process is removed
     * first.
     *
     * @throws LagbenchException if this user or machine cannot make it; nothing is left of it
     */
    public static Lab forThisProcess(Network network) throws LagbenchException {
        LabState state = make(network, "sweep-" + ProcessHandle.current().pid(), ProcessId.own());
        List<Flow> flows = new ArrayList<>();
        try {
            for (CompetingFlow flow : network.flows()) {
                flows.add(flow(network, flow, flows.size() + 1, state));
            }
            return new Lab(state, flows);
        } catch (LagbenchException e) {
            flows.forEach(Flow::close);
            remove(state);
            throw e;
        }
    }

    /**
     * Makes a network that stays until {@link #remove}.
     *
     * @param name names it: letters, digits and hyphens
     */
    public static Lab lasting(Network network, String name) throws LagbenchException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9-]{0,39}")) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "A lab's name is up to 40 letters, digits and hyphens, the first no hyphen; not \"" + name + "\".");
        }
        return new Lab(make(network, name, null));
    }

    private static Flow flow(Network network, CompetingFlow flow, int number, LabState state) throws LagbenchException {
        boolean dumbbell = network.topology() == Network.Topology.DUMBBELL;
        boolean there = flow.direction() == CompetingFlow.Way.THERE;
        String near = dumbbell ? LabPlan.RIVAL_SENDER : LabPlan.SENDER;
        String far = dumbbell ? LabPlan.RIVAL_RECEIVER : LabPlan.RECEIVER;
        String from = there ? near : far;
        String to = there ? far : near;
        return Flow.start(
                "flow " + number + " " + flow.direction().text(),
                flow,
                Objects.requireNonNull(state.namespaces().get(from)),
                Objects.requireNonNull(state.namespaces().get(to)),
                Objects.requireNonNull(state.addresses().get(to)));
    }

    private static LabState make(Network network, String name, @Nullable ProcessId owner) throws LagbenchException {
        Privileges.demand();
        LabState state;
        LabPlan plan;
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            removeAbandoned();
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
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + FileTrouble.reason(e) + ".", e);
        }
        try {
            return build(network, plan, state);
        } catch (LagbenchException e) {
            remove(state);
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
        boolean impaired = network.there().isImpaired() || network.back().isImpaired();
        boolean jitter = network.there().jitterNs() > 0 || network.back().jitterNs() > 0;
        if (!impaired || network.means() == Network.Means.RELAY || (network.means() == Network.Means.AUTO && jitter)) {
            return false;
        }
        Programs.run(List.of("ip", "netns", "add", probe));
        Programs.Result result;
        try {
            result = Programs.attempt(
                    List.of("tc", "-n", probe, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"), "");
        } finally {
            Programs.run(List.of("ip", "netns", "delete", probe));
        }
        if (result.exitCode() != 0 && network.means() == Network.Means.NETEM) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The network orders means: netem, which this kernel does not have (modprobe sch_netem); means: auto"
                            + " takes the lab's own relay instead.");
        }
        return result.exitCode() == 0;
    }

    private static LabState build(Network network, LabPlan plan, LabState begun) throws LagbenchException {
        Map<String, String> namespaces = begun.namespaces();
        for (String namespace : namespaces.values()) {
            Programs.run(List.of("ip", "netns", "add", namespace));
            Programs.run(List.of("ip", "netns", "exec", namespace, "sh", "-c", settings()));
        }
        LabState state = begun;
        List<Link> links = new ArrayList<>(plan.links());
        links.add(plan.control());
        for (Link link : links) {
            if (link.kind() == Kind.RELAY) {
                Process relay = Relay.start(
                        namespaces.get(link.near().node()) + "/" + link.near().device(),
                        namespaces.get(link.far().node()) + "/" + link.far().device(),
                        network.there(),
                        network.back(),
                        network.seed(),
                        LabDirectory.file(begun.name(), ".relay"),
                        begun.owner() != null);
                state = begun.withRelay(ProcessId.of(relay.pid()));
                LabDirectory.write(state);
            } else {
                veth(link, namespaces);
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
        Programs.run(List.of(
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
            Programs.run(
                    List.of(program, "-n", Objects.requireNonNull(namespaces.get(node)), "-batch", "-"),
                    lines.strip() + "\n");
        }
    }

    /** All labs of this machine; those whose owner is gone are removed first. */
    public static List<Lab> all() throws LagbenchException {
        Privileges.demand();
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            removeAbandoned();
            return LabDirectory.all().stream().map(Lab::new).toList();
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + FileTrouble.reason(e) + ".", e);
        }
    }

    /** The lab of that name. */
    public static Lab named(String name) throws LagbenchException {
        List<Lab> all = all();
        return all.stream()
                .filter(lab -> lab.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LagbenchException(
                        ExitCode.USAGE,
                        "There is no lab " + name + "; "
                                + (all.isEmpty()
                                        ? "there is none at all. Make one with: lagbench lab up ethernet-100"
                                        : "there are "
                                                + String.join(
                                                        ", ",
                                                        all.stream()
                                                                .map(Lab::name)
                                                                .toList())
                                                + ".")));
    }

    private static void removeAbandoned() throws LagbenchException {
        for (LabState lab : LabDirectory.all()) {
            if (lab.isAbandoned()) {
                remove(lab);
            }
        }
    }

    /** Ends what still runs in a lab and removes it. What is not there any more is passed over. */
    private static void remove(LabState lab) throws LagbenchException {
        ProcessId relay = lab.relay();
        List<ProcessHandle> processes = new ArrayList<>();
        if (relay != null && relay.isRunning()) {
            ProcessHandle.of(relay.pid()).ifPresent(processes::add);
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                Programs.attempt(List.of("ip", "netns", "pids", namespace), "")
                        .output()
                        .lines()
                        .forEach(pid ->
                                ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(processes::add));
            }
        }
        processes.forEach(ProcessHandle::destroy);
        for (ProcessHandle process : processes) {
            process.onExit()
                    .completeOnTimeout(process, GRACE_S, TimeUnit.SECONDS)
                    .thenAccept(late -> late.destroyForcibly())
                    .join();
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                Programs.run(List.of("ip", "netns", "delete", namespace));
            }
        }
        LabDirectory.forget(lab.name());
    }

    /** The lab's name. */
    public String name() {
        return state.name();
    }

    /** The network in YAML. */
    public String network() {
        return state.network();
    }

    /** The namespace of each host and router, by its name; the hosts are "sender" and "receiver". */
    public Map<String, String> namespaces() {
        return state.namespaces();
    }

    /** The address of each host, and under "control" the receiver's on the link that is not shaped, under
     * "control-sender" the sender's. */
    public Map<String, String> addresses() {
        return state.addresses();
    }

    /** Whether it ends with a process, and does not last until it is removed. */
    public boolean isOwned() {
        return state.owner() != null;
    }

    /** What makes up the command line of a program that runs on a host, before the program itself. */
    public List<String> commandOn(String host) throws LagbenchException {
        String namespace = state.namespaces().get(host);
        if (namespace == null) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "The lab " + name() + " has no " + host + "; it has "
                            + String.join(", ", state.namespaces().keySet()) + ".");
        }
        return List.of("ip", "netns", "exec", namespace);
    }

    /** A file with a key that the two sides of this lab share, readable by its owner only; removed with the lab. */
    public Path keyFile() throws LagbenchException {
        Path file = LabDirectory.file(name(), ".key");
        if (!Files.exists(file)) {
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            try {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, HexFormat.of().formatHex(key));
            } catch (IOException e) {
                throw new LagbenchException(
                        ExitCode.FILES, file + " cannot be written: " + FileTrouble.reason(e) + ".", e);
            }
        }
        return file;
    }

    /** What was counted so far at each place. */
    public List<Station> stations() throws LagbenchException {
        List<Station> stations = new ArrayList<>();
        for (StationPlace place : state.stations()) {
            stations.add(new Station(place.place(), place.isQueue() ? queueCounts(place) : deviceCounts(place)));
        }
        if (state.relay() != null) {
            Relay.counts(LabDirectory.file(name(), ".relay"))
                    .forEach((direction, counts) -> stations.add(new Station("relay " + direction, counts)));
        }
        flows.forEach(flow -> stations.add(flow.counted()));
        return stations;
    }

    /** The competing flows' time begins in so many ns, unless it has. From any thread. */
    public void beginFlows(long inNs) throws LagbenchException {
        for (Flow flow : flows) {
            flow.begin(inNs);
        }
    }

    /** The competing flows end, if they have begun. From any thread. */
    public void endFlows() throws LagbenchException {
        for (Flow flow : flows) {
            flow.end();
        }
    }

    private static Map<String, Long> queueCounts(StationPlace place) throws LagbenchException {
        JsonNode qdisc = JSON.readTree(Programs.run(List.of(
                        "tc", "-n", place.namespace(), "-s", "-j", "qdisc", "show", "dev", place.device(), "root")))
                .path(0);
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String count : List.of("packets", "bytes", "drops", "overlimits")) {
            counts.put(count, qdisc.path(count).asLong());
        }
        return counts;
    }

    private static Map<String, Long> deviceCounts(StationPlace place) throws LagbenchException {
        JsonNode sent = JSON.readTree(Programs.run(
                        List.of("ip", "-n", place.namespace(), "-s", "-j", "link", "show", "dev", place.device())))
                .path(0)
                .path("stats64")
                .path("tx");
        return Map.of(
                "packets", sent.path("packets").asLong(),
                "bytes", sent.path("bytes").asLong(),
                "drops", sent.path("dropped").asLong());
    }

    /** Ends what still runs in it and removes it. */
    public void remove() throws LagbenchException {
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            remove(state);
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + FileTrouble.reason(e) + ".", e);
        }
    }

    @Override
    public void close() throws LagbenchException {
        flows.forEach(Flow::close);
        remove();
    }
}

package org.lagbench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.lab.LabPlan.End;
import org.lagbench.lab.LabPlan.Link;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An emulated network of namespaces on this machine. Any number of labs can exist at the same time, because their
 * addresses and devices are not visible outside. Used by one thread, except for the competing flows.
 */
public final class Lab implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int KEY_BYTES = 32;

    private final LabState state;
    private final List<Flow> flows;
    private final long seed;
    private boolean haveTimesBegun;

    private Lab(LabState state, List<Flow> flows, long seed) {
        this.state = state;
        this.flows = List.copyOf(flows);
        this.seed = seed;
    }

    /**
     * Creates a network with its competing flows; the lab ends with this process. Removes abandoned labs first.
     *
     * @throws LagbenchException if this user or machine cannot create it; nothing of it remains
     */
    public static Lab forThisProcess(Network network) throws LagbenchException {
        LabState state =
                LabBuilder.create(network, "sweep-" + ProcessHandle.current().pid(), LabState.ProcessId.own());
        List<Flow> flows = new ArrayList<>();
        try {
            for (Network.CompetingFlow flow : network.flows()) {
                flows.add(startFlow(network, flow, flows.size() + 1, state));
            }
            return new Lab(state, flows, network.seed());
        } catch (LagbenchException e) {
            flows.forEach(Flow::close);
            LabDirectory.remove(state);
            throw e;
        }
    }

    /**
     * Creates a network that stays until {@link #remove}.
     *
     * @param name letters, digits and hyphens
     */
    public static Lab persistent(Network network, String name) throws LagbenchException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9-]{0,39}")) {
            throw ExitCode.USAGE.failure("The lab name \"" + name
                    + "\" is invalid: use up to 40 letters, digits and hyphens, and no hyphen first.");
        }
        return new Lab(LabBuilder.create(network, name, null), List.of(), network.seed());
    }

    private static Flow startFlow(Network network, Network.CompetingFlow flow, int number, LabState state)
            throws LagbenchException {
        boolean isDumbbell = network.topology() == Network.Topology.DUMBBELL;
        boolean isForward = flow.direction() == Network.CompetingFlow.Direction.FORWARD;
        String near = isDumbbell ? LabPlan.RIVAL_SENDER : LabPlan.SENDER;
        String far = isDumbbell ? LabPlan.RIVAL_RECEIVER : LabPlan.RECEIVER;
        String from = isForward ? near : far;
        String to = isForward ? far : near;
        return new Flow(
                "flow " + number + " " + flow.direction().text(),
                flow,
                state.namespace(from),
                state.namespace(to),
                String.valueOf(state.addresses().get(to)));
    }

    /** Returns all labs of this machine, after removing the abandoned ones. */
    public static List<Lab> all() throws LagbenchException {
        return LabDirectory.locked(() -> {
            LabDirectory.removeAbandoned();
            return LabDirectory.all().stream()
                    .map(state -> new Lab(state, List.of(), 0))
                    .toList();
        });
    }

    /** Returns the lab in a namespace of which this process runs; null if it runs in none. */
    public static @Nullable Lab ofThisProcess() throws LagbenchException {
        String namespace = LabDirectory.namespaceOfThisProcess();
        return namespace == null
                ? null
                : all().stream()
                        .filter(lab -> lab.namespaces().containsValue(namespace))
                        .findFirst()
                        .orElse(null);
    }

    public static Lab named(String name) throws LagbenchException {
        List<Lab> all = all();
        return all.stream()
                .filter(lab -> lab.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ExitCode.USAGE.failure("There is no lab " + name + "; "
                        + (all.isEmpty()
                                ? "create one with: lagbench lab up ethernet-100"
                                : "the labs are "
                                        + all.stream().map(Lab::name).collect(Collectors.joining(", "))
                                        + ".")));
    }

    public String name() {
        return state.name();
    }

    /** Returns the network in YAML. */
    public String network() {
        return state.network();
    }

    /** Returns the namespace of each host and router by name; the hosts are "sender" and "receiver". */
    public Map<String, String> namespaces() {
        return state.namespaces();
    }

    /**
     * Returns the address of each host by name, and under "control" and "control-sender" the addresses of the receiver
     * and the sender on the control link, which is not shaped.
     */
    public Map<String, String> addresses() {
        return state.addresses();
    }

    /** Returns whether an address is one of the control link. */
    public boolean isOfControlLink(String address) {
        return address.equals(addresses().get("control"))
                || address.equals(addresses().get("control-sender"));
    }

    /** Returns whether the lab ends with a process. */
    public boolean isTemporary() {
        return state.owner() != null;
    }

    /** Returns the prefix of the command line of a program that runs on a host. */
    public List<String> commandOn(String host) throws LagbenchException {
        if (!state.plan().nodes().contains(host)) {
            throw ExitCode.USAGE.failure("The lab " + name() + " has no host " + host + "; it has "
                    + String.join(", ", state.plan().nodes()) + ".");
        }
        return List.of("ip", "netns", "exec", state.namespace(host));
    }

    /**
     * Returns a file with the shared key of sender and receiver. Only its owner can read it; it is deleted with the
     * lab.
     */
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
                throw IoErrors.toException(file + " cannot be written", e);
            }
        }
        return file;
    }

    /** Returns whether all its relays and competing flows run. */
    public boolean isWhole() {
        return state.relays().size() == state.plan().relays().size()
                && state.relays().stream().allMatch(LabState.ProcessId::isRunning)
                && flows.stream().allMatch(Flow::isAlive);
    }

    /** Returns the counters of all places. */
    public List<Station> stations() throws LagbenchException {
        List<Station> ofRelays = new ArrayList<>(); // first, because a relay that has ended took its devices along
        Iterator<Link> links = state.plan().relays().iterator();
        for (Path socket : relaySockets()) {
            ofRelays.addAll(Relay.counts(links.next(), socket));
        }
        List<Station> stations = new ArrayList<>();
        for (Link link : state.plan().links()) {
            for (End end : List.of(link.near(), link.far())) {
                String place = link.place(end);
                if (place != null) {
                    stations.add(new Station(place, counts(end)));
                }
            }
        }
        stations.addAll(ofRelays);
        flows.forEach(flow -> stations.add(flow.counted()));
        return stations;
    }

    /**
     * Begins the bursts, the outages and the competing flows, unless they have begun. Thread-safe.
     *
     * @param dueNs when their times begin, CLOCK_REALTIME in ns: the first recorded packet is due then
     * @param repeat from 1; with the network's seed it determines the bursts
     */
    public synchronized void beginTimes(long dueNs, int repeat) throws LagbenchException {
        if (haveTimesBegun) {
            return;
        }
        haveTimesBegun = true;
        for (Path socket : relaySockets()) {
            Relay.begin(socket, dueNs, seed + repeat - 1);
        }
        for (Flow flow : flows) {
            flow.begin(dueNs);
        }
    }

    /** Ends the bursts, the outages and the running competing flows. Thread-safe. */
    public synchronized void endTimes() throws LagbenchException {
        haveTimesBegun = false;
        for (Path socket : relaySockets()) {
            Relay.end(socket);
        }
        for (Flow flow : flows) {
            flow.end();
        }
    }

    /** Returns the sockets of the relays that have started, in the order of {@link LabPlan#relays}. */
    private List<Path> relaySockets() {
        return IntStream.range(0, state.relays().size())
                .mapToObj(relay -> LabDirectory.file(name(), LabState.socket(relay)))
                .toList();
    }

    /**
     * Opens the counters of the slow link, at the interface that receives from it. Close them before the lab.
     *
     * @param network the network that the lab was created from
     * @param withAgent whether to start an SNMP agent (snmpd) on the interface's host
     */
    public LabBottleneck openBottleneck(Network network, boolean withAgent) throws LagbenchException {
        return LabBottleneck.start(state, network, withAgent);
    }

    /** Ends all processes in the lab and removes it. */
    public void remove() throws LagbenchException {
        LabDirectory.locked(() -> {
            LabDirectory.remove(state);
            return state;
        });
    }

    @Override
    public void close() throws LagbenchException {
        flows.forEach(Flow::close);
        remove();
    }

    /** Returns the counters of the queue or the impairment of an end since its creation, by name. */
    private Map<String, Long> counts(End end) throws LagbenchException {
        JsonNode qdisc = JSON.readTree(NetworkTools.run(
                        "tc -n " + state.namespace(end.node()) + " -s -j qdisc show dev " + end.device() + " root"))
                .path(0);
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String count : List.of("packets", "bytes", "drops", "overlimits")) {
            counts.put(count, qdisc.path(count).asLong());
        }
        return counts;
    }
}

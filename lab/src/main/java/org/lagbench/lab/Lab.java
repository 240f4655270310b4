package org.lagbench.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.CompetingFlow;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Station;
import org.lagbench.lab.LabState.StationPlace;

/**
 * A network of namespaces on this machine. Its names are its own, so that any number of labs can be there at once; no
 * address or device of it is seen outside. Used by one thread, but for the competing flows.
 */
public final class Lab implements AutoCloseable {
    private static final int KEY_BYTES = 32;

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
     * Makes a network that ends with this process, with its competing flows. What is left of an earlier process is
     * removed first.
     *
     * @throws LagbenchException if this user or machine cannot make it; nothing is left of it
     */
    public static Lab forThisProcess(Network network) throws LagbenchException {
        LabState state =
                LabBuilder.make(network, "sweep-" + ProcessHandle.current().pid(), ProcessId.own());
        List<Flow> flows = new ArrayList<>();
        try {
            for (CompetingFlow flow : network.flows()) {
                flows.add(flow(network, flow, flows.size() + 1, state));
            }
            return new Lab(state, flows);
        } catch (LagbenchException e) {
            flows.forEach(Flow::close);
            LabRemoval.remove(state);
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
        return new Lab(LabBuilder.make(network, name, null));
    }

    private static Flow flow(Network network, CompetingFlow flow, int number, LabState state) throws LagbenchException {
        boolean dumbbell = network.topology() == Network.Topology.DUMBBELL;
        boolean isForward = flow.direction() == CompetingFlow.Direction.FORWARD;
        String near = dumbbell ? LabPlan.RIVAL_SENDER : LabPlan.SENDER;
        String far = dumbbell ? LabPlan.RIVAL_RECEIVER : LabPlan.RECEIVER;
        String from = isForward ? near : far;
        String to = isForward ? far : near;
        return Flow.start(
                "flow " + number + " " + flow.direction().text(),
                flow,
                Objects.requireNonNull(state.namespaces().get(from)),
                Objects.requireNonNull(state.namespaces().get(to)),
                Objects.requireNonNull(state.addresses().get(to)));
    }

    /** All labs of this machine; those whose owner is gone are removed first. */
    public static List<Lab> all() throws LagbenchException {
        Privileges.demand();
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            LabRemoval.removeAbandoned();
            return LabDirectory.all().stream().map(Lab::new).toList();
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + IoErrors.reason(e) + ".", e);
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

    /**
     * The address of each host, and under "control" the receiver's on the link that is not shaped, under
     * "control-sender" the sender's.
     */
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
                        ExitCode.FILES, file + " cannot be written: " + IoErrors.reason(e) + ".", e);
            }
        }
        return file;
    }

    /** What was counted so far at each place. */
    public List<Station> stations() throws LagbenchException {
        List<Station> stations = new ArrayList<>();
        for (StationPlace place : state.stations()) {
            stations.add(new Station(place.place(), StationCounts.of(place)));
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

    /** Ends what still runs in it and removes it. */
    public void remove() throws LagbenchException {
        try (FileChannel lock = LabDirectory.lock()) {
            Objects.requireNonNull(lock);
            LabRemoval.remove(state);
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "The list of labs fails: " + IoErrors.reason(e) + ".", e);
        }
    }

    @Override
    public void close() throws LagbenchException {
        flows.forEach(Flow::close);
        remove();
    }
}

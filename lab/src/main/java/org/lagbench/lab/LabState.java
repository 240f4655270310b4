package org.lagbench.lab;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The description of a lab: a file in {@link LabDirectory}. It is written before the first namespace is created, so
 * that another process can remove the whole lab if this one is killed.
 *
 * @param format {@link #FORMAT}
 * @param name the lab's name
 * @param owner the process that the lab ends with; null if it stays until it is removed
 * @param network the network, in YAML
 * @param namespaces namespace of each host and router, by its name
 * @param addresses address of each host that sends or receives packets, by its name
 * @param stations the queues that count packets
 * @param relays the relays, one for each link with a wire
 */
record LabState(
        String format,
        String name,
        @Nullable ProcessId owner,
        String network,
        Map<String, String> namespaces,
        Map<String, String> addresses,
        List<StationPlace> stations,
        List<RelayPlace> relays) {
    /** The format and its version. */
    static final String FORMAT = "lagbench-lab-2";

    /**
     * A queue, which counts packets.
     *
     * @param place description for people: "queue of sender"
     */
    record StationPlace(String place, String namespace, String device) {}

    /**
     * A relay, which counts packets.
     *
     * @param forward description of the direction away from the sender, for people: "relay forward"
     * @param reverse the same of the other direction
     * @param socket suffix of the file that is its Unix socket
     * @param process the running process; null before it starts
     */
    record RelayPlace(String forward, String reverse, String socket, @Nullable ProcessId process) {
        RelayPlace running(ProcessId started) {
            return new RelayPlace(forward, reverse, socket, started);
        }
    }

    /** Returns the same lab with another list of relays. */
    LabState withRelays(List<RelayPlace> others) {
        return new LabState(format, name, owner, network, namespaces, addresses, stations, List.copyOf(others));
    }

    /** Returns whether the lab's owner has ended. */
    boolean isAbandoned() {
        return owner != null && !owner.isRunning();
    }

    /** Returns the namespace of a host or router of this lab. */
    String namespace(String node) {
        return Objects.requireNonNull(namespaces.get(node), node);
    }
}

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
 * @param stations where packets are counted
 * @param relay the running relay; null without one
 */
record LabState(
        String format,
        String name,
        @Nullable ProcessId owner,
        String network,
        Map<String, String> namespaces,
        Map<String, String> addresses,
        List<StationPlace> stations,
        @Nullable ProcessId relay) {
    /** The format and its version. */
    static final String FORMAT = "lagbench-lab-1";

    /**
     * A place where packets are counted.
     *
     * @param isQueue whether the queue of the device counts them, not the device itself
     * @param place description for people: "queue of sender"
     */
    record StationPlace(boolean isQueue, String place, String namespace, String device) {}

    LabState withRelay(ProcessId running) {
        return new LabState(format, name, owner, network, namespaces, addresses, stations, running);
    }

    /** Returns whether its owner has ended. */
    boolean isAbandoned() {
        return owner != null && !owner.isRunning();
    }

    /** Returns the namespace of a host or router of this lab. */
    String namespace(String node) {
        return Objects.requireNonNull(namespaces.get(node), node);
    }
}

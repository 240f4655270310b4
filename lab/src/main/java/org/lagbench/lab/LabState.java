package org.lagbench.lab;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be known of a lab by others than its maker: a file in {@link LabDirectory}. It is written before the first
 * namespace is made, so that all of a lab can be found and removed whatever became of its maker.
 *
 * @param format {@link #FORMAT}
 * @param name the lab's name
 * @param owner the process that the lab ends with; null for one that stays until it is taken down
 * @param network the network, in YAML
 * @param namespaces the namespace of each host and router, by its name
 * @param addresses the address of each host that packets are sent between, by its name
 * @param stations where packets are counted
 * @param relay the relay, once it runs; null without one
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
    /** Tells the format and its version. */
    static final String FORMAT = "lagbench-lab-1";

    /**
     * Where packets are counted: at the queue of a device, or by the device itself.
     *
     * @param isQueue which of the two
     * @param place what it is, for people: "queue of sender"
     * @param namespace the namespace that the device is in
     * @param device the device
     */
    record StationPlace(boolean isQueue, String place, String namespace, String device) {}

    /** The same with the relay. */
    LabState withRelay(ProcessId running) {
        return new LabState(format, name, owner, network, namespaces, addresses, stations, running);
    }

    /** Whether nobody needs it any more. */
    boolean isAbandoned() {
        return owner != null && !owner.isRunning();
    }
}

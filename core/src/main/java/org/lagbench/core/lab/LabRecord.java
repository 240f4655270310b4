package org.lagbench.core.lab;

import java.util.List;

/**
 * The network that a run was made over.
 *
 * @param name the network's name
 * @param network all of it, in YAML
 * @param rateBitsPerS rate of the link from the sender to the receiver in bit/s, 0 for as fast as the machine is
 * @param stations what was counted at each place while the run's processes were there, warm-up included
 */
public record LabRecord(String name, String network, long rateBitsPerS, List<Station> stations) {
    public LabRecord {
        stations = List.copyOf(stations);
    }
}

package org.lagbench.core.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network that a run was made over.
 *
 * @param name the network's name
 * @param network all of it, in YAML
 * @param rateBitsPerS rate of the link from the run's sender to its receiver in bit/s, 0 for as fast as the machine is
 * @param capacityPacketsPerS how many of the run's packets this link carries per second at most, see
 *     {@link LinkCapacity}; null if that is not limited
 * @param stations what was counted at each place while the run's processes were there, warm-up included
 */
public record LabRecord(
        String name, String network, long rateBitsPerS, @Nullable Double capacityPacketsPerS, List<Station> stations) {
    public LabRecord {
        stations = List.copyOf(stations);
    }
}

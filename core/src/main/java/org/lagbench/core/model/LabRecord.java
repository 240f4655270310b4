package org.lagbench.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.Within;

/**
 * The emulated network of a run.
 *
 * @param network the description in YAML
 * @param rateBitsPerS rate of the link from the run's sender to its receiver in bit/s, 0 for unlimited
 * @param capacityPacketsPerS the most of the run's packets that this link carries per second, see {@link LinkCapacity};
 *     null if unlimited
 * @param stations the counts of each place during the run, warm-up included
 */
public record LabRecord(
        String name,
        String network,
        @Within long rateBitsPerS,
        @Nullable Double capacityPacketsPerS,
        List<Station> stations) {
    public LabRecord {
        stations = List.copyOf(stations);
        if (capacityPacketsPerS != null && !(capacityPacketsPerS > 0)) {
            throw new IllegalArgumentException("capacityPacketsPerS is " + capacityPacketsPerS + ", not above 0");
        }
    }
}

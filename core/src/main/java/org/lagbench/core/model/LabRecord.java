package org.lagbench.core.model;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /**
     * A place where a lab counts packets, and its counts by name.
     *
     * @param place the place, for people: "queue of sender", "relay forward"
     */
    public record Station(String place, Map<String, Long> counts) {
        public Station {
            counts = Map.copyOf(counts);
        }

        /** Returns the counts since an earlier reading of the same place. */
        public Station since(Station earlier) {
            Map<String, Long> difference = new TreeMap<>();
            counts.forEach((name, count) ->
                    difference.put(name, count - earlier.counts().getOrDefault(name, 0L)));
            return new Station(place, difference);
        }
    }
}

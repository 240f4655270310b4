package org.lagbench.core.model;

import java.util.Map;
import java.util.TreeMap;

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
        counts.forEach(
                (name, count) -> difference.put(name, count - earlier.counts().getOrDefault(name, 0L)));
        return new Station(place, difference);
    }
}

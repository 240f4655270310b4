package org.lagbench.core.lab;

import java.util.Map;
import java.util.TreeMap;

/**
 * A place where a lab counts packets, and what it has counted.
 *
 * @param place what it is, for people: "queue of sender", "relay there"
 * @param counts the counts by name
 */
public record Station(String place, Map<String, Long> counts) {
    public Station {
        counts = Map.copyOf(counts);
    }

    /** What was counted since an earlier look at the same place. */
    public Station since(Station earlier) {
        Map<String, Long> difference = new TreeMap<>();
        counts.forEach(
                (name, count) -> difference.put(name, count - earlier.counts().getOrDefault(name, 0L)));
        return new Station(place, difference);
    }
}

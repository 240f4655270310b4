package org.lagbench.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.lab.LabState.StationPlace;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the counters of a lab's queues. */
final class StationCounts {
    private static final JsonMapper JSON = new JsonMapper();

    private StationCounts() {}

    /** Returns the counters of a place since its creation, by name. */
    static Map<String, Long> of(StationPlace place) throws LagbenchException {
        JsonNode qdisc = JSON.readTree(NetworkTools.run(
                        "tc -n " + place.namespace() + " -s -j qdisc show dev " + place.device() + " root"))
                .path(0);
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String count : List.of("packets", "bytes", "drops", "overlimits")) {
            counts.put(count, qdisc.path(count).asLong());
        }
        return counts;
    }
}

package org.lagbench.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.lab.LabState.StationPlace;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the counters of a lab's queues and devices. */
final class StationCounts {
    private static final JsonMapper JSON = new JsonMapper();

    private StationCounts() {}

    /** Returns the counters of a place since its creation, by name. */
    static Map<String, Long> of(StationPlace place) throws LagbenchException {
        if (place.isQueue()) {
            JsonNode qdisc = json("tc -n " + place.namespace() + " -s -j qdisc show dev " + place.device() + " root");
            Map<String, Long> counts = new LinkedHashMap<>();
            for (String count : List.of("packets", "bytes", "drops", "overlimits")) {
                counts.put(count, qdisc.path(count).asLong());
            }
            return counts;
        }
        JsonNode sent = json("ip -n " + place.namespace() + " -s -j link show dev " + place.device())
                .path("stats64")
                .path("tx");
        return Map.of(
                "packets", sent.path("packets").asLong(),
                "bytes", sent.path("bytes").asLong(),
                "drops", sent.path("dropped").asLong());
    }

    private static JsonNode json(String command) throws LagbenchException {
        return JSON.readTree(NetworkTools.run(command)).path(0);
    }
}

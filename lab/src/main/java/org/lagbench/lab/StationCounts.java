package org.lagbench.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.lab.LabState.StationPlace;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What queues and devices of a lab have counted since they were made. */
final class StationCounts {
    private static final JsonMapper JSON = new JsonMapper();

    private StationCounts() {}

    /** The counts of a place, by their names. */
    static Map<String, Long> of(StationPlace place) throws LagbenchException {
        return place.isQueue() ? queueCounts(place) : deviceCounts(place);
    }

    private static Map<String, Long> queueCounts(StationPlace place) throws LagbenchException {
        JsonNode qdisc = JSON.readTree(NetworkTools.run(List.of(
                        "tc", "-n", place.namespace(), "-s", "-j", "qdisc", "show", "dev", place.device(), "root")))
                .path(0);
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String count : List.of("packets", "bytes", "drops", "overlimits")) {
            counts.put(count, qdisc.path(count).asLong());
        }
        return counts;
    }

    private static Map<String, Long> deviceCounts(StationPlace place) throws LagbenchException {
        JsonNode sent = JSON.readTree(NetworkTools.run(
                        List.of("ip", "-n", place.namespace(), "-s", "-j", "link", "show", "dev", place.device())))
                .path(0)
                .path("stats64")
                .path("tx");
        return Map.of(
                "packets", sent.path("packets").asLong(),
                "bytes", sent.path("bytes").asLong(),
                "drops", sent.path("dropped").asLong());
    }
}

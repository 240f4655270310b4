package org.lagbench.analysis.summary;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Traffic;

/**
 * What metrics mean for each kind of traffic. A quantity of one kind says nothing of another without a declaration
 * here: the loss of packets forward is not that of round trips.
 *
 * @param quantity the first part of the ids of metrics, or a whole id
 * @param meanings a clause for each kind of traffic that has the metrics; they are undefined for others
 */
public record MetricMeaning(String quantity, Map<Traffic, String> meanings) {
    private static final String FORWARD = "the same, of the packets on the way forward";
    private static final String PIECES = "the same, of the pieces of all transfers";

    /** All declarations, in the order of tables. */
    public static final List<MetricMeaning> ALL = List.of(
            of("roundTrip", null, "answered − sent of each packet with an answer, late ones included", null),
            of("lag", "received − sent of each packet that arrived", FORWARD, PIECES),
            of("receiveDelay", "time between consecutive arrivals at the receiver", FORWARD, PIECES),
            of("sendDelay", "time between consecutive packets at the sender", FORWARD, PIECES),
            of("lateness", "sent − scheduled, with a pace", FORWARD, null),
            of("lagFromSchedule", "received − scheduled of each packet that arrived, with a pace", FORWARD, null),
            of(
                    "loss",
                    "packets that did not arrive",
                    "packets without an answer in time",
                    "pieces that did not arrive"),
            of("loss.forward", null, "packets that did not arrive at the receiver", null),
            of("loss.back", null, "of the packets that arrived, those whose answer did not", null),
            of("playout", "delay at which 1 % of the packets are late or lost", FORWARD, null),
            of(
                    "receiveRate",
                    "bytes of packets from the first arrival to the last",
                    "the same, forward; with one packet in flight, what the round trip allows",
                    "the same, of the pieces, with the pauses between transfers"),
            of("throughput", null, null, "bytes of a transfer by its duration"));

    public MetricMeaning {
        meanings = Map.copyOf(meanings);
    }

    private static MetricMeaning of(
            String quantity, @Nullable String oneWay, @Nullable String roundTrip, @Nullable String transfer) {
        Map<Traffic, String> meanings = new EnumMap<>(Traffic.class);
        put(meanings, Traffic.ONE_WAY, oneWay);
        put(meanings, Traffic.ROUND_TRIP, roundTrip);
        put(meanings, Traffic.TRANSFER, transfer);
        return new MetricMeaning(quantity, meanings);
    }

    private static void put(Map<Traffic, String> meanings, Traffic traffic, @Nullable String meaning) {
        if (meaning != null) {
            meanings.put(traffic, meaning);
        }
    }

    /** Returns the declaration of a metric, by its id or the first part of it; empty if there is none. */
    public static Optional<MetricMeaning> find(String id) {
        String quantity = id.contains(".") ? id.substring(0, id.indexOf('.')) : id;
        return ALL.stream()
                .filter(meaning -> meaning.quantity.equals(id))
                .findFirst()
                .or(() -> ALL.stream()
                        .filter(meaning -> meaning.quantity.equals(quantity))
                        .findFirst());
    }

    /** Returns whether a metric is defined for a kind of traffic; one without a declaration is. */
    static boolean isDefined(String id, String traffic) {
        return find(id).map(meaning -> meaning.meanings.keySet().stream()
                        .anyMatch(kind -> kind.text().equals(traffic)))
                .orElse(true);
    }
}

package org.lagbench.core.run;

import java.util.Map;
import java.util.Optional;

/**
 * What metrics mean for each kind of traffic. A quantity of one kind says nothing of another without a declaration: the
 * loss of packets forward is not that of round trips.
 *
 * @param quantity the first part of the ids of metrics, or a whole id
 * @param meanings a clause for each kind of traffic that has the metrics; they are undefined for others
 */
public record MetricMeaning(String quantity, Map<Traffic, String> meanings) {
    public MetricMeaning {
        meanings = Map.copyOf(meanings);
    }

    /** Returns the declaration of a metric, by its id or the first part of it; empty if there is none. */
    public static Optional<MetricMeaning> find(String id) {
        String quantity = id.contains(".") ? id.substring(0, id.indexOf('.')) : id;
        return of(id).or(() -> of(quantity));
    }

    private static Optional<MetricMeaning> of(String quantity) {
        return MetricRegistry.meanings().stream()
                .filter(meaning -> meaning.quantity.equals(quantity))
                .findFirst();
    }

    /**
     * Returns whether a metric is defined for a kind of traffic. A metric without a declaration is defined for each.
     */
    public static boolean isDefined(String id, String traffic) {
        return find(id).map(meaning -> meaning.meanings.keySet().stream()
                        .anyMatch(kind -> kind.text().equals(traffic)))
                .orElse(true);
    }
}

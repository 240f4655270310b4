package org.lagbench.analysis.matrix;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.core.run.Metric;

/**
 * The results of all directed pairs of a matrix.
 *
 * @param name name of the session
 * @param sites names of the sites, in the order of the rows and columns
 * @param metrics what is shown of each pair, in the order of tables
 * @param pairs the pairs in the same order, by the sending site, then by the receiving site
 * @param sharings the verdicts on pairs of the same round, several on the same pairs if several methods tested them;
 *     empty without a search for bottlenecks
 */
public record MatrixResult(
        String name, List<String> sites, List<Metric<?>> metrics, List<PairResult> pairs, List<PairSharing> sharings) {
    /** The metrics of a matrix unless others are requested. */
    public static final List<Metric<?>> METRICS =
            List.of(MainMetrics.LAG, MainMetrics.LOSS, MainMetrics.ROUND_TRIP, PairMetrics.RATE);

    /** Returns the pair of two different sites; empty if the sites are the same. */
    public Optional<PairResult> pair(String from, String to) {
        return pairs.stream()
                .filter(pair -> pair.from().equals(from) && pair.to().equals(to))
                .findFirst();
    }

    /** Returns the groups of pairs, {@code from/to}, that share a bottleneck according to the tests. */
    public List<List<String>> groups() {
        return groups(sharings);
    }

    /**
     * Returns the groups of pairs that share a bottleneck with at least one other pair of the group, by the first
     * certain verdict on each two pairs. Groups and their pairs are in the order of the verdicts.
     */
    public static List<List<String>> groups(List<PairSharing> sharings) {
        Set<List<String>> decided = new HashSet<>();
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (PairSharing sharing : sharings) {
            if (sharing.sharing() == Sharing.UNCERTAIN || !decided.add(List.of(sharing.first(), sharing.second()))) {
                continue;
            }
            Set<String> group = groups.computeIfAbsent(sharing.first(), pair -> new HashSet<>(Set.of(pair)));
            Set<String> other = groups.computeIfAbsent(sharing.second(), pair -> new HashSet<>(Set.of(pair)));
            if (sharing.sharing() == Sharing.SHARED && !group.contains(sharing.second())) {
                group.addAll(other);
                other.forEach(pair -> groups.put(pair, group));
            }
        }
        return groups.values().stream()
                .distinct()
                .filter(group -> group.size() > 1)
                .map(group -> groups.keySet().stream().filter(group::contains).toList())
                .toList();
    }

    /**
     * The verdict of a method whether two pairs of a round share a bottleneck.
     *
     * @param round the number of the round, from 1
     * @param first the first pair, {@code from/to}
     * @param second the second pair, {@code from/to}
     * @param sharing the verdict
     * @param probability that the bottleneck is shared; NaN if it is unknown
     * @param method the test: {@code delays} or {@code rates}
     */
    public record PairSharing(
            int round, String first, String second, Sharing sharing, double probability, String method) {}

    /**
     * One directed pair of sites.
     *
     * @param from the site that sends
     * @param to the site that receives
     * @param metrics null if nothing was measured
     * @param failure a sentence why the measurement is missing or incomplete; null if it is complete
     */
    public record PairResult(String from, String to, @Nullable PairMetrics metrics, @Nullable String failure) {}
}

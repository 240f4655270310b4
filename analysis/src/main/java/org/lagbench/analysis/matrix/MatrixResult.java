package org.lagbench.analysis.matrix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lagbench.analysis.matrix.BottleneckGroups.Tested;

/**
 * The results of all directed pairs of a matrix.
 *
 * @param name name of the session
 * @param sites names of the sites, in the order of the rows and columns
 * @param pairs the pairs in the same order, by the sending site, then by the receiving site
 * @param sharings the verdicts on pairs of the same round, several on the same pairs if several methods tested them;
 *     empty without a search for bottlenecks
 */
public record MatrixResult(String name, List<String> sites, List<PairResult> pairs, List<PairSharing> sharings) {
    public MatrixResult {
        sites = List.copyOf(sites);
        pairs = List.copyOf(pairs);
        sharings = List.copyOf(sharings);
    }

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

    /** Returns the groups of pairs that share a bottleneck, by the first certain verdict on each two pairs. */
    public static List<List<String>> groups(List<PairSharing> sharings) {
        List<String> names = new ArrayList<>();
        List<Tested> tested = new ArrayList<>();
        Set<List<String>> decided = new HashSet<>();
        for (PairSharing sharing : sharings) {
            if (sharing.sharing() == Sharing.UNCERTAIN || !decided.add(List.of(sharing.first(), sharing.second()))) {
                continue;
            }
            tested.add(new Tested(number(names, sharing.first()), number(names, sharing.second()), sharing.sharing()));
        }
        return BottleneckGroups.of(names.size(), tested).stream()
                .map(group -> group.stream().map(names::get).toList())
                .toList();
    }

    private static int number(List<String> names, String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
        return names.indexOf(name);
    }
}

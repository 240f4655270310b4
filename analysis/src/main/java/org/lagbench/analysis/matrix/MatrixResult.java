package org.lagbench.analysis.matrix;

import java.util.List;
import java.util.Optional;

/**
 * All directed pairs of the sites of a matrix.
 *
 * @param name of the session
 * @param sites their names, in the order of the rows and columns
 * @param pairs in the same order, by the sending site, then by the receiving one
 */
public record MatrixResult(String name, List<String> sites, List<PairResult> pairs) {
    public MatrixResult {
        sites = List.copyOf(sites);
        pairs = List.copyOf(pairs);
    }

    /** Returns a pair; empty for a site and itself. */
    public Optional<PairResult> pair(String from, String to) {
        return pairs.stream()
                .filter(pair -> pair.from().equals(from) && pair.to().equals(to))
                .findFirst();
    }
}

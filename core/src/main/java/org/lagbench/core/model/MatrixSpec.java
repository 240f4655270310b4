package org.lagbench.core.model;

import java.util.List;
import org.lagbench.core.model.PairRounds.Pair;

/**
 * The sites of a matrix, and the measurements between each two of them.
 *
 * @param name names the session directory
 * @param packetBytes size of the one-way packets and of the round-trip packets
 * @param packets number of recorded packets of each kind
 * @param intervalNs interval between packets in ns
 * @param budgetBytes maximum payload of the TCP transfers of a pair; 0 for no transfers
 * @param sites at least two, with different names
 * @param pairs the pairs to measure, each once; empty for all
 */
public record MatrixSpec(
        String name,
        int packetBytes,
        long packets,
        long intervalNs,
        long budgetBytes,
        List<Site> sites,
        List<Pair> pairs) {
    /** The maximum number of sites. */
    public static final int MAXIMUM_SITES = 1_000;

    public MatrixSpec {
        sites = List.copyOf(sites);
        pairs = List.copyOf(pairs);
    }

    /** Returns the rounds in which the pairs are measured. */
    public List<List<Pair>> rounds() {
        return pairs.isEmpty() ? PairRounds.ofBothDirections(sites.size()) : PairRounds.of(pairs);
    }

    /** Returns whether the pair of two different sites is to be measured. */
    public boolean isMeasured(Pair pair) {
        return pairs.isEmpty() || pairs.contains(pair);
    }
}

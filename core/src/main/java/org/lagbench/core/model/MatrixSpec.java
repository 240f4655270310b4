package org.lagbench.core.model;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.PairRounds.Pair;
import org.lagbench.core.text.Endpoint;

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

    /**
     * A host that takes part in a matrix.
     *
     * @param name matches {@link #NAME}
     * @param agent address of its {@code lagbench serve}, for the coordinator and for the other sites
     * @param keyFile the file with its key, absolute; null for the key in the environment
     */
    public record Site(String name, Endpoint agent, @Nullable Path keyFile) {
        /** The syntax of names, which are also names of directories. */
        public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,30}");
    }
}

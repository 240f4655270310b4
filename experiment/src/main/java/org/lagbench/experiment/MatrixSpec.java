package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Key;
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
        @Key("budget-mb") long budgetBytes,
        List<Site> sites,
        List<Pair> pairs) {
    /** The maximum number of sites. */
    public static final int MAXIMUM_SITES = 1_000;

    public MatrixSpec {
        sites = List.copyOf(sites);
        pairs = List.copyOf(pairs);
    }

    /** Returns the files with the sites' keys, each once. */
    public List<Path> keyFiles() {
        return sites.stream()
                .map(Site::keyFile)
                .flatMap(Stream::ofNullable)
                .distinct()
                .toList();
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

    /**
     * Two sites by their numbers from 0.
     *
     * @param from the sending site
     * @param to the receiving site
     */
    public record Pair(int from, int to) {
        /** Returns the pair in the other direction. */
        public Pair reversed() {
            return new Pair(to, from);
        }

        /** Returns whether a site is in both pairs. */
        boolean overlaps(Pair other) {
            return from == other.from || from == other.to || to == other.from || to == other.to;
        }
    }

    /**
     * The order in which all pairs of sites are measured: rounds in which no site takes part twice. It is the circle
     * method of a 1-factorization: one site keeps its place, and the others rotate by one place in each round. With an
     * even number n of sites there are n − 1 rounds of n/2 pairs. With an odd n there are n rounds, and in each one
     * site has no partner. No schedule has fewer rounds. Some chosen pairs are each in the first round in which both
     * sites are free.
     */
    static final class PairRounds {
        private PairRounds() {}

        /** Returns the rounds for this many sites. The two directions of a pair are in separate rounds. */
        static List<List<Pair>> ofBothDirections(int sites) {
            List<List<Pair>> rounds = new ArrayList<>();
            for (List<Pair> round : ofOneDirection(sites)) {
                rounds.add(round);
                rounds.add(round.stream().map(Pair::reversed).toList());
            }
            return List.copyOf(rounds);
        }

        /** Returns the rounds of these pairs. */
        static List<List<Pair>> of(List<Pair> pairs) {
            List<List<Pair>> rounds = new ArrayList<>();
            for (Pair pair : pairs) {
                List<Pair> free = rounds.stream()
                        .filter(round -> round.stream().noneMatch(pair::overlaps))
                        .findFirst()
                        .orElse(null);
                if (free == null) {
                    free = new ArrayList<>();
                    rounds.add(free);
                }
                free.add(pair);
            }
            return rounds.stream().map(List::copyOf).toList();
        }

        private static List<List<Pair>> ofOneDirection(int sites) {
            int places = sites + sites % 2; // with an odd number of sites, the last place is empty
            List<List<Pair>> rounds = new ArrayList<>();
            for (int round = 0; round < places - 1; round++) {
                List<Pair> pairs = new ArrayList<>();
                for (int i = 0; i < places / 2; i++) {
                    int first = i == 0 ? places - 1 : (round + i) % (places - 1);
                    int second = (round + places - 1 - i) % (places - 1);
                    if (first < sites && second < sites) {
                        pairs.add(new Pair(first, second));
                    }
                }
                if (!pairs.isEmpty()) {
                    rounds.add(List.copyOf(pairs));
                }
            }
            return rounds;
        }
    }
}

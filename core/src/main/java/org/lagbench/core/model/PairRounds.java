package org.lagbench.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which all pairs of sites are measured: rounds in which no site takes part twice. It is the circle method
 * of a 1-factorization: one site keeps its place, and the others rotate by one place in each round. With an even number
 * n of sites there are n − 1 rounds of n/2 pairs. With an odd n there are n rounds, and in each one site has no
 * partner. No schedule has fewer rounds. Some chosen pairs are each in the first round in which both sites are free.
 */
public final class PairRounds {
    /**
     * Two sites by their numbers from 0.
     *
     * @param from the one that sends
     * @param to the one that receives
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

    private PairRounds() {}

    /** Returns the rounds for this many sites. The two directions of a pair are in separate rounds. */
    public static List<List<Pair>> ofBothDirections(int sites) {
        List<List<Pair>> rounds = new ArrayList<>();
        for (List<Pair> round : ofOneDirection(sites)) {
            rounds.add(round);
            rounds.add(round.stream().map(Pair::reversed).toList());
        }
        return List.copyOf(rounds);
    }

    /** Returns the rounds of these pairs. */
    public static List<List<Pair>> of(List<Pair> pairs) {
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

package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.experiment.MatrixSpec.Pair;
import org.lagbench.experiment.MatrixSpec.PairRounds;

class PairRoundsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 100, 101})
    void measuresEachDirectionOnceAndNoSiteTwiceInRound(int sites) {
        Set<Pair> measured = new HashSet<>();
        for (List<Pair> round : PairRounds.ofBothDirections(sites)) {
            Set<Integer> busy = new HashSet<>();
            for (Pair pair : round) {
                assertThat(measured.add(pair)).as("%s", pair).isTrue();
                assertThat(busy.add(pair.from())).as("%s", round).isTrue();
                assertThat(busy.add(pair.to())).as("%s", round).isTrue();
            }
            assertThat(busy).allMatch(site -> site >= 0 && site < sites);
        }
        assertThat(measured).hasSize(sites * Math.max(0, sites - 1));
    }

    @Test
    void usesEachSiteOnceInRoundOfChosenPairs() {
        List<Pair> pairs = List.of(new Pair(0, 2), new Pair(1, 3), new Pair(2, 0), new Pair(4, 1));

        assertThat(PairRounds.of(pairs))
                .containsExactly(List.of(new Pair(0, 2), new Pair(1, 3)), List.of(new Pair(2, 0), new Pair(4, 1)));
    }

    /** A round has at most ⌊n/2⌋ pairs, so n(n − 1) directed pairs need at least that many rounds. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 12, 13, 100, 101})
    void usesFewestRounds(int sites) {
        int pairs = sites * (sites - 1);
        int pairsInRound = sites / 2;
        assertThat(PairRounds.ofBothDirections(sites)).hasSize((pairs + pairsInRound - 1) / pairsInRound);
    }
}

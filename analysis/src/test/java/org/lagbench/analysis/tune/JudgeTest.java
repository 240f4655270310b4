package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class JudgeTest {
    @Test
    void treatsAFactorOfTwoAsAlikeAfterFewRuns() {
        // 3 runs of each have 20 orders: the probability of one, 5 %, is above 2.5 %
        for (int runs = 1; runs <= 3; runs++) {
            assertThat(alike(constant(runs, 1e6), constant(runs, 1.99e6), constant(runs, 2.01e6)))
                    .as("%d runs of each", runs)
                    .containsExactly(candidate(0), candidate(1));
        }
    }

    @Test
    void appliesTheIndifferenceAfterEnoughRuns() {
        // 4 runs of each have 70 orders: the probability of one is below 2.5 %, so four runs can be significant
        assertThat(alike(constant(4, 1e6), constant(4, 1.09e6), constant(4, 1.11e6)))
                .containsExactly(candidate(0), candidate(1));
    }

    @Test
    void treatsOverlappingRunsAsAlike() {
        assertThat(alike(
                        new double[] {1e6, 1e6, 1e6, 5e6}, // median 1 ms; that of the next line 3 ms
                        new double[] {0.9e6, 3e6, 3e6, 3e6}))
                .containsExactly(candidate(0), candidate(1));
    }

    @Test
    void findsNothingAlikeWithoutCandidates() {
        assertThat(alike()).isEmpty();
    }

    private static List<TuneCandidate> alike(double[]... objectivesNs) {
        TrialLog log = new TrialLog();
        for (int round = 0; objectivesNs.length > 0 && round < objectivesNs[0].length; round++) {
            log.beginRound();
            for (int i = 0; i < objectivesNs.length; i++) {
                log.add(candidate(i), new Trial(objectivesNs[i][round], 1_000, 0, 1e6));
            }
        }
        return new Judge(new TuneCriteria(null, null, 0.1), log).alike(log.candidates(), 0);
    }

    private static double[] constant(int runs, double objectiveNs) {
        return DoubleStream.generate(() -> objectiveNs).limit(runs).toArray();
    }

    private static TuneCandidate candidate(int number) {
        return new TuneCandidate(Map.of("depth", Integer.toString(number)));
    }
}

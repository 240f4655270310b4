package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class TrialLogTest {
    @Test
    void treatsAFactorOfTwoAsTiedAfterFewRuns() {
        for (int runs = 1; runs <= 3; runs++) {
            assertThat(alike(constant(runs, 1e6), constant(runs, 1.99e6), constant(runs, 2.01e6)))
                    .as("%d runs of each", runs)
                    .containsExactly(candidate(0), candidate(1));
        }
    }

    @Test
    void appliesTheIndifferenceAfterEnoughRuns() {
        assertThat(alike(constant(4, 1e6), constant(4, 1.09e6), constant(4, 1.11e6)))
                .containsExactly(candidate(0), candidate(1));
    }

    @Test
    void treatsOverlappingRunsAsTied() {
        assertThat(alike(
                        new double[] {1e6, 1e6, 1e6, 5e6}, // median 1 ms; that of the next line 3 ms
                        new double[] {0.9e6, 3e6, 3e6, 3e6}))
                .containsExactly(candidate(0), candidate(1));
    }

    @Test
    void comparesOnlyRoundsThatBothHave() {
        TrialLog log = new TrialLog(new TuneCriteria(List.of(), 0.1));
        for (int round = 1; round <= 8; round++) {
            log.beginRound();
            log.add(candidate(0), new Trial(1e6 * round, 1_000, 0, 1e6)); // the machine becomes slower
            if (round > 4) {
                log.add(candidate(1), new Trial(1.05e6 * round, 1_000, 0, 1e6));
            }
        }
        assertThat(log.isAsGood(candidate(1), candidate(0), 0.001)).isTrue();
        assertThat(log.isWorse(candidate(1), candidate(0), 0.5)).isFalse();
    }

    @Test
    void hasNoTiesWithoutCandidates() {
        assertThat(alike()).isEmpty();
    }

    private static List<TuneCandidate> alike(double[]... objectivesNs) {
        TrialLog log = new TrialLog(new TuneCriteria(List.of(), 0.1));
        for (int round = 0; objectivesNs.length > 0 && round < objectivesNs[0].length; round++) {
            log.beginRound();
            for (int i = 0; i < objectivesNs.length; i++) {
                log.add(candidate(i), new Trial(objectivesNs[i][round], 1_000, 0, 1e6));
            }
        }
        return log.alike(log.candidates());
    }

    private static double[] constant(int runs, double objectiveNs) {
        return DoubleStream.generate(() -> objectiveNs).limit(runs).toArray();
    }

    private static TuneCandidate candidate(int number) {
        return new TuneCandidate(Map.of("depth", Integer.toString(number)));
    }
}

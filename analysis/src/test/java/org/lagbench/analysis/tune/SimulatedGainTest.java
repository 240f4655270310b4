package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.core.model.Tuning.Knob;

/** Tunes a setting that makes no difference: every verdict better or worse on the default is false. */
@Tag("one-java")
class SimulatedGainTest {
    private static final int TUNES = 400;

    /**
     * The logarithms of the ratios of rounds are autoregressive, with a standard deviation of 5 %.
     *
     * @param percent the largest share of false verdicts, as of comparisons of 20 repeats
     */
    @ParameterizedTest
    @CsvSource({"0, 5", "0.5, 6", "0.8, 9"})
    void dependentRoundsAreRarelyDecided(double correlation, double percent) {
        int wrong = 0;
        for (int seed = 0; seed < TUNES; seed++) {
            Tuner tuner = new Tuner(List.of(Knob.list("depth", List.of("1"))), criteria(), true, seed);
            Random random = new Random(seed);
            double state = random.nextGaussian();
            for (var next = tuner.next(); next.isPresent(); next = tuner.next()) {
                boolean isDefault = next.get().isDefault();
                tuner.accept(new Trial(isDefault ? 1e6 * Math.exp(.05 * state) : 1e6, 1_000, 0, 1e6));
                if (isDefault) {
                    state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
                }
            }
            Verdict verdict = tuner.result().comparison().verdict();
            wrong += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
        }
        assertThat(100.0 * wrong / TUNES).as("false verdicts in %").isLessThanOrEqualTo(percent);
    }

    private static TuneCriteria criteria() {
        return new TuneCriteria(List.of(), .001);
    }
}

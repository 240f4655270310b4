package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.Summary;

/** Compares equal points: every verdict better or worse is false. Draws have fixed seeds. */
@Tag("one-java")
class SimulatedComparisonsTest {
    private static final int DRAWS = 1_000;

    /** The logarithms of values are autoregressive from repeat to repeat, with a standard deviation of 5 %. */
    private static Map<Integer, Double> repeats(Random random, int repeats, double correlation, double center) {
        Map<Integer, Double> values = new TreeMap<>();
        double state = random.nextGaussian();
        for (int repeat = 1; repeat <= repeats; repeat++) {
            values.put(repeat, center * Math.exp(.05 * state));
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        return values;
    }

    private static Map<Integer, Double> constant(int repeats) {
        Map<Integer, Double> values = new TreeMap<>();
        for (int repeat = 1; repeat <= repeats; repeat++) {
            values.put(repeat, 1.0);
        }
        return values;
    }

    private static boolean isDecided(Verdict verdict) {
        return verdict == Verdict.BETTER || verdict == Verdict.WORSE;
    }

    /** @param percent the largest share of false verdicts; the fewer repeats, the less they show of a correlation */
    @ParameterizedTest
    @CsvSource({
        "6, 0, 5",
        "6, .5, 11",
        "6, .8, 22",
        "10, 0, 5",
        "10, .5, 9",
        "10, .8, 14",
        "15, .5, 6",
        "15, .8, 9",
        "25, 0, 5",
        "25, .5, 5",
        "25, .8, 5",
        "25, .95, 11",
        "50, .5, 5",
        "50, .8, 5",
        "50, .95, 7"
    })
    void dependentRepeatsAreRarelyDecided(int repeats, double correlation, double percent) {
        Random random = new Random(repeats);
        int wrong = 0;
        int plain = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            Map<Integer, Double> compared = repeats(random, repeats, correlation, 1);
            RatioEstimate ratio = RatioEstimate.of(CommonRepeats.of(constant(repeats), compared));
            wrong += isDecided(ratio.verdict(.001, 0, true)) ? 1 : 0;
            double[] values =
                    compared.values().stream().mapToDouble(value -> value).toArray();
            plain += isDecided(RatioTest.verdict(values, .001, 0, true)) ? 1 : 0;
        }
        assertThat(100.0 * wrong / DRAWS).as("false verdicts in %%").isLessThanOrEqualTo(percent);
        assertThat(plain).as("as independent").isGreaterThanOrEqualTo(wrong);
    }

    /** A difference of three standard deviations is still found. */
    @ParameterizedTest
    @CsvSource({"6, 70", "10, 85", "15, 92", "25, 98"})
    void independentRepeatsKeepTheirPower(int repeats, double percent) {
        Random random = new Random(repeats);
        int found = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            found += RatioEstimate.of(CommonRepeats.of(constant(repeats), repeats(random, repeats, 0, 1.16)))
                                    .verdict(.001, 0, true)
                            == Verdict.WORSE
                    ? 1
                    : 0;
        }
        assertThat(100.0 * found / DRAWS).isGreaterThan(percent);
    }

    /**
     * Both sides of a repeat share what the machine does meanwhile, which is autoregressive with a standard deviation
     * of 5 µs, and have lags of 1 ms that differ by 50 µs, or not at all.
     *
     * @param percent the largest share of intervals without the true difference
     */
    @ParameterizedTest
    @CsvSource({"50, 6, 5", "50, 10, 5", "50, 25, 5", "0, 6, 5", "0, 10, 5", "0, 25, 5"})
    void intervalOfDifferenceContainsKnownOne(double differenceUs, int repeats, double percent) {
        Random random = new Random(repeats);
        int outside = 0;
        double widthUs = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            Map<Integer, Double> baseline = new TreeMap<>();
            Map<Integer, Double> compared = new TreeMap<>();
            repeats(random, repeats, .8, 1).forEach((repeat, ofMachine) -> {
                double sharedUs = 1_000 + 100 * (ofMachine - 1);
                baseline.put(repeat, sharedUs + random.nextGaussian());
                compared.put(repeat, sharedUs + differenceUs + random.nextGaussian());
            });
            Interval difference = CommonRepeats.of(baseline, compared).difference();
            outside += difference.low() <= differenceUs && differenceUs <= difference.high() ? 0 : 1;
            widthUs += (difference.high() - difference.low()) / DRAWS;
        }
        assertThat(100.0 * outside / DRAWS).as("without the difference in %%").isLessThanOrEqualTo(percent);
        assertThat(widthUs).as("mean width in µs").isLessThan(10);
    }

    /**
     * Runs of 2,000 packets lose a share of them, in bursts.
     *
     * @param percent the largest share of false verdicts between equal sessions
     * @param found the smallest share of sessions that lose five times as much and are worse
     */
    @ParameterizedTest
    @CsvSource({"6, .01, 1, 5, 95", "6, .01, 8, 5, 45", "20, .01, 8, 5, 95", "20, .02, 20, 8, 85", "20, .3, 1, 5, 100"})
    void sharesAreComparedOverAllPackets(int runs, double share, double burst, double percent, double found)
            throws Exception {
        Random random = new Random(runs);
        SimulatedGates session = new SimulatedGates(runs, 2_000, share, burst, 0);
        SimulatedGates worse = new SimulatedGates(runs, 2_000, Math.min(.9, 5 * share), burst, 0);
        int draws = 100;
        int wrong = 0;
        int shown = 0;
        for (int draw = 0; draw < draws; draw++) {
            Summary baseline = session.draw(random);
            wrong += isDecided(verdict(baseline, session.draw(random))) ? 1 : 0;
            shown += verdict(baseline, worse.draw(random)) == Verdict.WORSE ? 1 : 0;
        }
        assertThat(100.0 * wrong / draws).as("false verdicts in %%").isLessThanOrEqualTo(percent);
        assertThat(100.0 * shown / draws).as("found in %%").isGreaterThanOrEqualTo(found);
    }

    private static Verdict verdict(Summary baseline, Summary compared) throws Exception {
        return Comparisons.ofSessions(
                        List.of(baseline), List.of(compared), List.of(MainMetrics.LOSS), new Comparisons.Limits(.05, 0))
                .all()
                .get(0)
                .verdict();
    }

    /** Each session is shifted by 5 % at random, and its repeats depend on each other. */
    @ParameterizedTest
    @CsvSource({"2, 2", "3, 3", "2, 6", "5, 5", "10, 10"})
    void sessionsContainDifferencesBetweenDays(int before, int after) {
        Random random = new Random(before + after);
        int wrong = 0;
        int equivalent = 0;
        for (int draw = 0; draw < 2 * DRAWS; draw++) {
            double[] baseline = sessions(random, before, 1);
            wrong += isDecided(RatioEstimate.ofSessions(baseline, sessions(random, after, 1))
                            .verdict(.001, 0, true))
                    ? 1
                    : 0;
            equivalent += RatioEstimate.ofSessions(baseline, sessions(random, after, 1.0501))
                                    .verdict(.05, 0, true)
                            == Verdict.EQUIVALENT
                    ? 1
                    : 0;
        }
        assertThat(100.0 * wrong / (2 * DRAWS)).as("false verdicts in %%").isBetween(3.5, 6.5);
        assertThat(100.0 * equivalent / (2 * DRAWS))
                .as("false equivalence in %%")
                .isLessThan(6.5);
    }

    private static double[] sessions(Random random, int count, double center) {
        double[] medians = new double[count];
        for (int session = 0; session < count; session++) {
            double day = center * Math.exp(.05 * random.nextGaussian());
            medians[session] = repeats(random, 5, .5, day).values().stream()
                    .sorted()
                    .skip(2)
                    .findFirst()
                    .orElseThrow();
        }
        return medians;
    }

    @Test
    void oneSessionAgainstOneHasNoIntervalBySession() {
        RatioEstimate ratio = RatioEstimate.ofSessions(new double[] {1}, new double[] {2});
        assertThat(ratio.ratio().value()).isEqualTo(2);
        assertThat(ratio.ratio().hasEnds()).isFalse();
        assertThat(RatioEstimate.ofSessions(new double[] {1, 0}, new double[] {2})
                        .ratio()
                        .value())
                .isNaN();
    }
}

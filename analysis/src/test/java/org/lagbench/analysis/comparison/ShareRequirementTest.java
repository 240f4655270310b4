package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.comparison.Judgment.Outcome;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.failure.LagbenchException;

@Tag("one-java")
class ShareRequirementTest {
    private static final int GATES = 5_000;

    /** A quarter of the runs lose half of their packets, so that the median run loses none. */
    @Test
    void missesLimitThatMedianRunMeets() throws Exception {
        long[] lost = IntStream.range(0, 20).mapToLong(run -> run < 5 ? 500 : 0).toArray();
        Judgment judgment = judge("loss <= 1 %", 1_000, lost);
        assertThat(judgment.estimate().value()).isCloseTo(12.5, within(1e-9));
        assertThat(judgment.verdict()).isEqualTo(Outcome.MISSED);
        assertThat(judge("loss <= 12 %", 1_000, lost).verdict()).isEqualTo(Outcome.UNDECIDED);
    }

    @ParameterizedTest
    @CsvSource({
        "loss <= 0 %, 0, MET",
        "loss <= 0 %, 1, MISSED",
        "loss <= 1 %, 0, MET",
        "loss <= 0.1 %, 0, UNDECIDED",
        "loss >= 0.1 %, 0, UNDECIDED",
        "loss <= 2 %, 1, MET"
    })
    void judgesRareLoss(String text, long lostOnce, Outcome verdict) throws Exception {
        assertThat(judge(text, 1_000, lostOnce, 0, 0, 0, 0, 0).verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"loss <= 0 %, 0, true", "loss <= 0 %, 1, false", "loss <= 1 %, 0, false"})
    void knowsLimitThatHoldsForSampleAlone(String text, long lostOnce, boolean isOfSample) throws Exception {
        assertThat(judge(text, 1_000, lostOnce, 0, 0, 0, 0, 0).holdsForSampleAlone())
                .isEqualTo(isOfSample);
    }

    @Test
    void isUndecidedAfterFewRunsUnlessJudgedByValue() throws Exception {
        assertThat(judge("loss <= 1 %", 100_000, 0, 0, 0, 0, 0).doubt()).isEqualTo(Verdict.Doubt.REPEATS);
        assertThat(Requirement.parse("loss <= 1 %")
                        .judge(SimulatedGates.summary(0, 100, 2), Judgment.Basis.VALUE)
                        .get(0)
                        .verdict())
                .isEqualTo(Outcome.MISSED);
    }

    /** As R's {@code binom.test(5, 20)} where each run is one packet. */
    @Test
    void independentEventsHaveIntervalOfClopperAndPearson() {
        double[] counts =
                IntStream.range(0, 2_000).mapToDouble(i -> i % 4 == 0 ? 1 : 0).toArray();
        double[] wholes = IntStream.range(0, 2_000).mapToDouble(i -> 1).toArray();
        Interval interval = new ClusteredShare(counts, wholes, 1).interval();
        assertThat(interval.low()).isCloseTo(Interval.ofShare(500, 2_000).low(), within(2e-4));
        assertThat(interval.high()).isCloseTo(Interval.ofShare(500, 2_000).high(), within(2e-4));
    }

    /**
     * The true share is on the wrong side of half of the limits. A burst is at most 20 packets long, and six or more
     * are expected.
     */
    @Test
    void falseVerdictsOnBurstyLossAreRare() throws Exception {
        Random random = new Random(20261126);
        Map<Outcome, Integer> verdicts = new EnumMap<>(Outcome.class);
        int wrong = 0;
        for (int gate = 0; gate < GATES; gate++) {
            SimulatedGates session = new SimulatedGates(
                    6 + random.nextInt(15),
                    1_000 + random.nextInt(1_000),
                    .01 + .04 * random.nextDouble(),
                    1 + random.nextInt(20),
                    random.nextInt(4) == 0 ? 1 : 0);
            double limit = 100 * session.share() * Math.exp(2 * random.nextDouble() - 1);
            Judgment judgment = Requirement.parse("loss <= " + Math.round(1e4 * limit) / 1e4 + " %")
                    .judge(session.draw(random), Judgment.Basis.INTERVAL)
                    .get(0);
            verdicts.merge(judgment.verdict(), 1, Integer::sum);
            boolean isTrue = 100 * session.share() <= limit;
            wrong += judgment.verdict() == (isTrue ? Outcome.MISSED : Outcome.MET) ? 1 : 0;
            if (judgment.verdict() == Outcome.MET) {
                assertThat(judgment.estimate().value()).isLessThanOrEqualTo(limit);
                assertThat(session.missing()).isZero();
            }
        }
        assertThat(wrong).as("false verdicts of %s", verdicts).isLessThanOrEqualTo(GATES / 20);
        assertThat(verdicts.get(Outcome.UNDECIDED)).as("power").isLessThan(GATES * 3 / 4);
    }

    private static Judgment judge(String text, long packets, long... lost) throws LagbenchException {
        return Requirement.parse(text)
                .judge(SimulatedGates.summary(0, packets, lost), Judgment.Basis.INTERVAL)
                .get(0);
    }
}

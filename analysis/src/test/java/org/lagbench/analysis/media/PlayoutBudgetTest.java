package org.lagbench.analysis.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.DelayBudget.DelayInterval;
import org.lagbench.analysis.media.DelayBudget.DelayVerdict;
import org.lagbench.analysis.media.DelayBudget.LateTarget;
import org.lagbench.analysis.media.PlayoutBudget.LateCountInterval;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;

@Tag("one-java")
class PlayoutBudgetTest {
    private static final long LOST = -1;

    @TempDir
    private Path directory;

    /** Distinct lags from 1,000,000 ns on: the k-th delay is k − 1 ns. */
    @Test
    void findsDelaysAsOrderStatistics() throws Exception {
        int n = 40_000;
        List<Long> lags = shuffled(n);
        PlayoutBudget budget = budget(n, i -> 1_000_000 + lags.get(i));
        assertThat(budget.leastLagNs()).isEqualTo(1_000_000);
        assertThat(budget.budgets()).extracting(DelayBudget::verdict).containsOnly(DelayVerdict.GIVEN);
        assertThat(budget.budgets())
                .extracting(DelayBudget::delayNs)
                .containsExactly(n - 1 - 2_000L, n - 1 - 400L, n - 1 - 40L, n - 1 - 4L);
        // Poisson (4), the limit of binomial (40,000, 0.0001) to three digits: P(≤ 0) = 0.018, P(≤ 1) = 0.092;
        // P(≤ 7) = 0.949, P(≤ 8) = 0.979: at most 8 exceed the true delay, at least one does
        DelayBudget rarest = budget.budgets().get(3);
        assertThat(rarest.independent()).isEqualTo(new DelayInterval(n - 1 - 8L, n - 1 - 0L));
        // normal (2,000, √1,900): 2,000 ± 1.96 · 43.59 = 1,914.6 to 2,085.4
        DelayInterval commonest = budget.budgets().get(0).independent();
        assertThat(commonest).isNotNull();
        assertThat(n - 1 - commonest.lowNs()).isBetween(2_084L, 2_088L);
        assertThat(n - 1 - commonest.highNs()).isBetween(1_912L, 1_916L);
        // shuffled lags are independent: the bootstrap agrees
        DelayInterval drawn = budget.budgets().get(0).correlated();
        assertThat(drawn).isNotNull();
        assertThat((double) (n - 1 - drawn.lowNs())).isCloseTo(2_085, within(25.0));
        assertThat((double) (n - 1 - drawn.highNs())).isCloseTo(1_915, within(25.0));
    }

    @Test
    void ignoresClockOffset() throws Exception {
        int n = 4_000;
        List<Long> lags = shuffled(n);
        PlayoutBudget one = budget(n, lags::get);
        PlayoutBudget other = budget(n, i -> lags.get(i) - 55_000_000);
        assertThat(other.budgets()).isEqualTo(one.budgets());
        assertThat(other.adaptive()).isEqualTo(one.adaptive());
        assertThat(other.leastLagNs()).isEqualTo(-55_000_000);
    }

    @Test
    void countsLostPacketsAsLate() throws Exception {
        int n = 4_000;
        // 20 of 4,000 are lost: 1 % allows 40 late or lost packets, so that 20 may be late
        PlayoutBudget budget = budget(n, i -> i % 200 == 0 ? LOST : i);
        assertThat(budget.lost()).isEqualTo(20);
        // the 21st longest lag is 3,999 − 20; delays are relative to the smallest lag, 1
        assertThat(budget.budgets().get(1).delayNs()).isEqualTo(3_999 - 20 - 1);
        assertThat(budget.budgets().get(2).verdict()).isEqualTo(DelayVerdict.MORE_LOST);
        assertThat(budget.budgets().get(2).delayNs()).isNull();
    }

    /** (1 − p)ⁿ ≤ 0.025: n ≥ ln 0.025 / ln (1 − p) = 71.92, 367.04, 3,687.04, 36,886.95. */
    @Test
    void reportsTooFewPackets() throws Exception {
        assertThat(LateTarget.values())
                .extracting(LateTarget::packetsNeeded)
                .containsExactly(72L, 368L, 3_688L, 36_887L);
        List<Long> lags = shuffled(368);
        List<DelayBudget> budgets = budget(368, lags::get).budgets();
        assertThat(budgets)
                .extracting(DelayBudget::verdict)
                .containsExactly(
                        DelayVerdict.GIVEN,
                        DelayVerdict.GIVEN,
                        DelayVerdict.TOO_FEW_PACKETS,
                        DelayVerdict.TOO_FEW_PACKETS);
        assertThat(budgets.get(2).delayNs()).isNull();
        assertThat(budgets.get(1).independent()).isNotNull();
        assertThat(budgets.get(1).independent().highNs()).isEqualTo(367 - Collections.min(lags));
        assertThat(budget(0, i -> 0).budgets())
                .extracting(DelayBudget::verdict)
                .containsOnly(DelayVerdict.TOO_FEW_PACKETS);
    }

    @Test
    void leavesUpperEndOfIntervalOpenForOneStall() throws Exception {
        // 3 % are late, all in one stall: another run might have no stall, or two
        PlayoutBudget budget = budget(10_000, i -> i >= 5_000 && i < 5_300 ? 1_000_000 - i : i % 97);
        DelayBudget one = budget.budgets().get(1);
        assertThat(one.delayNs()).isGreaterThan(990_000);
        assertThat(one.independent()).isNotNull();
        assertThat(one.independent().highNs()).isNotNull();
        assertThat(one.correlated()).isNotNull();
        assertThat(one.correlated().highNs()).isNull();
        assertThat(one.blockPackets()).isGreaterThan(50);
    }

    @Test
    void computesIntervalOfEqualLags() throws Exception {
        DelayBudget budget = budget(1_000, i -> 500).budgets().get(0);
        assertThat(budget.delayNs()).isZero();
        assertThat(budget.correlated()).isEqualTo(new DelayInterval(0L, 0L));
        assertThat(budget.independent()).isEqualTo(new DelayInterval(0L, 0L));
    }

    /**
     * For series with a known quantile, the interval of the block bootstrap has the stated coverage; that of
     * independent packets does not.
     */
    @Test
    void coversTheTruthForCorrelatedPackets() throws LagbenchException {
        Random random = new Random(20261120);
        int samples = 300;
        int n = 4_000;
        double correlation = 0.9;
        double truth = 1.6448536269514722; // 95 % quantile of the normal distribution
        int given = 0;
        int held = 0;
        int heldIfIndependent = 0;
        for (int sample = 0; sample < samples; sample++) {
            double[] values = new double[n];
            double value = random.nextGaussian();
            for (int i = 0; i < n; i++) {
                values[i] = value;
                value = correlation * value + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
            }
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            double found = sorted[n - 1 - n / 20];
            int[] cells = new int[2_000];
            for (int i = 0; i < n; i++) {
                cells[i / 2] += values[i] > found ? 1 : 0;
            }
            LateCountInterval drawn = LateCountInterval.percentile(new BlockBootstrap(cells).draw());
            given += drawn.atMost() < 0 ? 0 : 1;
            held += drawn.atMost() < 0 ? 0 : holds(drawn, sorted, truth);
            heldIfIndependent += holds(LateCountInterval.binomial(n, 0.05), sorted, truth);
        }
        assertThat(given).isGreaterThan(samples / 2); // the others have too few clusters of late packets
        assertThat(held / (double) given).isBetween(0.91, 0.99);
        assertThat(heldIfIndependent / (double) samples).isLessThan(0.7);
    }

    private static int holds(LateCountInterval interval, double[] sorted, double truth) {
        int last = sorted.length - 1;
        boolean low = sorted[(int) (last - interval.atMost())] <= truth;
        boolean high = interval.atLeast() < 0 || sorted[(int) (last - interval.atLeast())] >= truth;
        return low && high ? 1 : 0;
    }

    @Test
    void addsNoAdaptiveDelayForConstantLag() throws Exception {
        AdaptiveBuffer adaptive = budget(2_000, i -> 70_000).adaptive();
        assertThat(adaptive).isEqualTo(new AdaptiveBuffer(1_500, 0, 0, 0, 0));
    }

    /**
     * The lag steps by 1 ms during talkspurt 20: the rest of that talkspurt is late, and the next one has a new delay.
     */
    @Test
    void adaptsTheDelayOncePerTalkspurt() throws Exception {
        AdaptiveBuffer adaptive = budget(2_000, i -> i < 1_010 ? 0 : 1_000_000).adaptive();
        // at packet 1,050 there were 41 greater lags: d = 1 − α⁴¹ = 0.0787 ms; v sums |d − n| = α^k: 41 · (1 − α) ·
        // α⁴¹ …
        double alpha = 0.998002;
        double deviation = 0;
        for (int k = 1; k <= 41; k++) {
            deviation = alpha * deviation + (1 - alpha) * Math.pow(alpha, k);
        }
        double delay = 1 - Math.pow(alpha, 41) + 4 * deviation;
        assertThat(delay).isLessThan(1);
        // so that talkspurt is late too, and further ones until d + 4v exceeds 1 ms
        int spurt = 21;
        while (delay < 1) {
            for (int k = 41 + (spurt - 21) * 50 + 1; k <= 41 + (spurt - 20) * 50; k++) {
                deviation = alpha * deviation + (1 - alpha) * Math.pow(alpha, k);
            }
            delay = 1 - Math.pow(alpha, 41 + (spurt - 20) * 50) + 4 * deviation;
            spurt++;
        }
        assertThat(adaptive.packets()).isEqualTo(1_500);
        assertThat(adaptive.late()).isEqualTo(40 + (spurt - 21) * 50L);
    }

    @Test
    void hasNoAdaptiveDelayOfRunTooShortToAdapt() throws Exception {
        AdaptiveBuffer adaptive = budget(400, i -> i).adaptive();
        assertThat(adaptive.packets()).isZero();
        assertThat(adaptive.lateShare()).isNaN();
        assertThat(adaptive.meanDelayNs()).isNaN();
    }

    /** Computes the budget of a run with a packet every 125 µs and these lags in ns. */
    private PlayoutBudget budget(int packets, IntToLongFunction lag) throws Exception {
        Path run = Files.createTempDirectory(directory, "run");
        try (SenderCapture sender =
                        SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), Math.max(1, packets), false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), Math.max(1, packets), false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = SessionFixture.EPOCH_NS + 125_000L * i;
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs);
                if (lag.applyAsLong(i) != LOST) {
                    receiver.append(i, sentNs + lag.applyAsLong(i), 0);
                }
            }
        }
        try (JoinedRun joined = JoinedRun.open(run)) {
            return PlayoutBudget.of(List.of(joined));
        }
    }

    private static List<Long> shuffled(int n) {
        List<Long> numbers = new ArrayList<>();
        for (long i = 0; i < n; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, new Random(1));
        return numbers;
    }
}

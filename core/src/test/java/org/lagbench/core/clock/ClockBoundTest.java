package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.clock.ChronyTracking.Leap;
import org.lagbench.core.clock.ClockBound.Basis;
import org.lagbench.core.clock.ClockHistory.ClockStep;
import org.lagbench.core.clock.ClockState.Source;

/** Tests each rule of the clock bound with numbers computed by hand. */
class ClockBoundTest {
    /** The beginning of the runs, 2026-01-01T00:00:00Z. */
    private static final long T0 = 1_767_225_600_000_000_000L;

    private static final long S = 1_000_000_000L;
    private static final ClockHistory NOTHING = new ClockHistory(List.of(), List.of());

    /** Returns the state of a synchronized clock; half of {@code delay} counts. */
    private static ClockState chrony(double atS, double correctionNs, double dispersionNs, double delayNs) {
        return chrony(atS, "0A630001", correctionNs, dispersionNs, delayNs, 0, 0);
    }

    private static ClockState chrony(
            double atS,
            String reference,
            double correctionNs,
            double dispersionNs,
            double delayNs,
            double skewPpm,
            double updateIntervalS) {
        ChronyTracking tracking = new ChronyTracking(
                reference,
                null,
                9,
                Leap.NORMAL,
                T0,
                correctionNs,
                0,
                0,
                0,
                0,
                skewPpm,
                delayNs,
                dispersionNs,
                updateIntervalS);
        return ClockState.of(at(atS), "boot", tracking);
    }

    private static ClockState without(double atS, Source source) {
        return new ClockState(at(atS), "boot", source, null, null, "Sentence of " + source + ".");
    }

    private static long at(double s) {
        return T0 + Math.round(s * S);
    }

    private static ClockHistory history(ClockState... states) {
        return new ClockHistory(List.of(states), List.of());
    }

    private static OffsetInterval twoWay(double atS, long lowerNs, long upperNs) {
        return new OffsetInterval(at(atS), at(atS), lowerNs, upperNs, upperNs - lowerNs, 8);
    }

    private static ClockBound bound(ClockHistory sender, ClockHistory receiver, OffsetInterval... twoWay) {
        return ClockBound.of(false, 30, sender, receiver, Arrays.asList(twoWay));
    }

    @Test
    void usesResolutionAsBoundOnOneKernel() {
        ClockBound bound = ClockBound.of(
                true, 30, history(without(0, Source.NO_DAEMON)), NOTHING, List.of(twoWay(0, -9_000, 8_000)));

        assertThat(bound).isEqualTo(new ClockBound(30L, Basis.SAME_KERNEL, List.of()));
    }

    @Test
    void countsClockStepOnOneKernelOnce() {
        ClockHistory sender = new ClockHistory(List.of(), List.of(new ClockStep(at(1.5), -1_000_000)));
        ClockHistory receiver = new ClockHistory(List.of(), List.of(new ClockStep(at(1.51), -1_000_001)));

        ClockBound bound = ClockBound.of(true, 30, sender, receiver, List.of());

        assertThat(bound.boundNs()).isEqualTo(1_000_031);
        assertThat(bound.marks())
                .containsExactly("The clock was stepped by -1.000 ms at 2026-01-01T00:00:01.510Z: lags before and"
                        + " after it are not comparable; the bound is wider by the step.");
    }

    @Test
    void addsLargestBoundsOfBothChronyd() {
        // bounds of the samples: |correction| + dispersion + delay / 2
        // sender: 100 + 20 + 10 / 2 = 125, 300 + 20 + 10 / 2 = 325; receiver: 50 + 200 + 300 / 2 = 400, 10 + 0 + 0 = 10
        ClockBound bound = bound(
                history(chrony(0, -100, 20, 10), chrony(1, 300, 20, 10)),
                history(chrony(0, 50, 200, 300), chrony(1, 10, 0, 0)),
                twoWay(0, -400, 100));

        assertThat(bound).isEqualTo(new ClockBound(725L, Basis.CHRONY, List.of()));
    }

    @Test
    void growsBoundBetweenSamplesUntilUpdate() {
        // 1 s apart, updates every 0.5 s: 0.5 s of (3 + 1) ppm are 2,000 ns on top of 1,000; nothing at the last sample
        ClockBound bound = bound(
                history(chrony(0, "0A630001", 0, 1_000, 0, 3, 0.5), chrony(1, "0A630001", 0, 1_500, 0, 3, 0.5)),
                history(chrony(0, 0, 0, 0), chrony(1, 0, 0, 0)));

        assertThat(bound.boundNs()).isEqualTo(3_000);
        // with an update every 8 s the bound grows for the whole second: 1,000 + 4,000
        bound = bound(
                history(chrony(0, "0A630001", 0, 1_000, 0, 3, 8), chrony(1, "0A630001", 0, 1_500, 0, 3, 8)),
                history(chrony(0, 0, 0, 0), chrony(1, 0, 0, 0)));
        assertThat(bound.boundNs()).isEqualTo(5_000);
    }

    @Test
    void computesOffsetFromCorrections() {
        // true = reading + correction: a sender 700 slow and a receiver 200 fast are 900 apart.
        ChronyTracking sender = chrony(0, 700, 30, 20).tracking();
        ChronyTracking receiver = chrony(0, -200.5, 5, 10).tracking();

        ClockBound.ChronyOffset offset = ClockBound.ChronyOffset.of(sender, receiver);

        assertThat(offset).isEqualTo(new ClockBound.ChronyOffset(900 - 50, 901 + 50));
        assertThat(offset.overlaps(twoWay(0, 951, 2_000))).isTrue();
        assertThat(offset.overlaps(twoWay(0, 952, 2_000))).isFalse();
        assertThat(offset.overlaps(twoWay(0, -2_000, 850))).isTrue();
        assertThat(offset.overlaps(twoWay(0, -2_000, 849))).isFalse();
    }

    @Test
    void prefersExchangesThatContradictChrony() {
        ClockHistory both = history(chrony(0, 0, 500, 1_000)); // ±1,000 each

        assertThat(bound(both, both, twoWay(0, 1_999, 90_000)).basis()).isEqualTo(Basis.CHRONY);
        ClockBound bound = bound(both, both, twoWay(0, -50_000, 60_000), twoWay(0.001, 52_001, 80_000));

        assertThat(bound.basis()).isEqualTo(Basis.TWO_WAY);
        // the drift of 1 ms at 500 ppm widens the first interval by 500 ns, to 60,500 ns: the largest offset
        assertThat(bound.boundNs()).isEqualTo(60_500);
        assertThat(bound.marks()).hasSize(1);
        assertThat(bound.marks().get(0))
                .startsWith("At 2026-01-01T00:00:00.001Z the two hosts' chronyd reported that the"
                        + " receiver's clock was ahead by"
                        + " -3.0 µs to +3.0 µs, but the two-way exchanges prove +52.0 µs to +80.0 µs. No"
                        + " path asymmetry explains that");
    }

    @Test
    void allowsDriftBetweenChronyAndExchanges() {
        ClockHistory both = history(chrony(0, 0, 500, 1_000));

        // 10 ms later both clocks may have drifted by 5,000 each: ±(2,000 + 10,000)
        assertThat(bound(both, both, twoWay(0.01, 12_000, 90_000)).basis()).isEqualTo(Basis.CHRONY);
        assertThat(bound(both, both, twoWay(0.01, 12_001, 90_000)).basis()).isEqualTo(Basis.TWO_WAY);
        // within these 10 ms, chronyd may also slew away a correction of 300
        ClockHistory slewing = history(chrony(0, 300, 500, 1_000));
        assertThat(bound(slewing, both, twoWay(0.01, 12_600, 90_000)).basis()).isEqualTo(Basis.CHRONY);
        assertThat(bound(slewing, both, twoWay(0.01, 12_601, 90_000)).basis()).isEqualTo(Basis.TWO_WAY);
    }

    @Test
    void rejectsTwoLocalReferences() {
        ClockHistory itself = history(chrony(0, ChronyTracking.LOCAL_REFERENCE, 0, 0, 0, 0, 0));

        ClockBound bound = bound(itself, itself, twoWay(0, -5_000, 4_000));

        assertThat(bound.basis()).isEqualTo(Basis.TWO_WAY);
        assertThat(bound.boundNs()).isEqualTo(5_000);
        assertThat(bound.marks()).hasSize(1).allMatch(mark -> mark.contains("local stratum"));
        assertThat(bound(itself, history(chrony(0, 10, 20, 30)), twoWay(0, -5_000, 4_000)))
                .isEqualTo(new ClockBound(45L, Basis.CHRONY, List.of()));
    }

    @Test
    void usesExchangesIfOneSideLacksChrony() {
        // 100 ms apart: 50,000 of drift. The second's 900 to 40,000 holds at 0 as −49,100 to 90,000, and between the
        // two the offset can rise to (60,000 + 40,000 + 50,000) / 2 and fall to (−10,000 + 900 − 50,000) / 2.
        ClockBound bound = bound(
                history(chrony(0, 0, 500, 0)),
                history(without(0, Source.OTHER_DAEMON)),
                twoWay(0, -10_000, 60_000),
                twoWay(0.1, 900, 40_000));

        assertThat(bound.boundNs()).isEqualTo(75_000);
        assertThat(bound.basis()).isEqualTo(Basis.TWO_WAY);
        assertThat(bound(
                                history(chrony(0, 0, 500, 0)),
                                history(without(0, Source.OTHER_DAEMON)),
                                twoWay(0, -60_000, 10_000),
                                twoWay(0.1, -40_000, -900))
                        .boundNs())
                .as("the same with the clocks exchanged")
                .isEqualTo(75_000);
        assertThat(bound.marks())
                .containsExactly(
                        "The receiver's clock was not kept by chrony. On that host: Sentence of OTHER_DAEMON.");
    }

    @Test
    void ignoresDelayedBurstBetweenOtherBursts() {
        ClockHistory none = history(without(0, Source.NO_DAEMON));

        ClockBound bound = bound(
                none, none, twoWay(0, -1_000, 1_000), twoWay(0.01, -900_000, 900_000), twoWay(0.02, -1_000, 1_000));

        // 20 ms of drift are 10,000: in the middle the offset is no more than (1,000 + 1,000 + 10,000) / 2
        assertThat(bound.boundNs()).isEqualTo(6_000);
        assertThat(bound.marks()).hasSize(2);
    }

    @Test
    void reportsWhenChronydWasLost() {
        ClockBound bound = bound(
                history(
                        chrony(0, 0, 500, 0),
                        chrony(1, 0, 500, 0),
                        without(2.5, Source.FORBIDDEN),
                        without(4, Source.NO_DAEMON)),
                history(chrony(0, 0, 500, 0)),
                twoWay(0, -10_000, 7_000));

        assertThat(bound.basis()).isEqualTo(Basis.TWO_WAY);
        assertThat(bound.boundNs()).isEqualTo(10_000);
        assertThat(bound.marks())
                .containsExactly(
                        "The sender's clock was no longer kept by chrony 2.500 s after it was first asked. On that"
                                + " host: Sentence of FORBIDDEN.");
    }

    @Test
    void widensBoundByStep() {
        ClockHistory stepped = new ClockHistory(
                List.of(chrony(0, 0, 500, 0)),
                List.of(new ClockStep(at(1), 1_000_000), new ClockStep(at(2), -300_000)));
        ClockHistory steady = history(chrony(0, 0, 500, 0));

        ClockBound byChrony = bound(stepped, steady);
        assertThat(byChrony.boundNs()).isEqualTo(1_000 + 1_300_000);
        assertThat(byChrony.basis()).isEqualTo(Basis.CHRONY);
        assertThat(byChrony.marks()).hasSize(2).allMatch(mark -> mark.startsWith("The sender's clock was stepped by "));

        // By exchanges: the offset before and after, the drift of 100 ms, and the steps, which may have passed in
        // between.
        ClockHistory none = history(without(0, Source.NO_DAEMON));
        ClockBound byExchanges = bound(
                none,
                new ClockHistory(none.states(), List.of(new ClockStep(at(0.05), 1_000_000))),
                twoWay(0, -1_000, 1_000),
                twoWay(0.1, 999_000, 1_001_000));
        assertThat(byExchanges.boundNs()).isEqualTo(1_001_000 + 50_000 + 1_000_000);
        assertThat(byExchanges.marks())
                .anyMatch(mark -> mark.startsWith("The receiver's clock was stepped by +1.000 ms"));
    }

    @Test
    void reportsStepFromContradictoryExchanges() {
        ClockHistory none = history(without(0, Source.NO_DAEMON));

        ClockBound bound = bound(none, none, twoWay(0, -1_000, 1_000), twoWay(0.1, 999_000, 1_001_000));

        assertThat(bound.boundNs()).isEqualTo(1_001_000 + 50_000);
        assertThat(bound.marks()).anyMatch(mark -> mark.contains("contradict each other"));
    }

    @Test
    void omitsContradictoryBurst() {
        ClockHistory none = history(without(0, Source.NO_DAEMON));

        ClockBound bound =
                bound(none, none, twoWay(0, -1_000, 1_000), twoWay(0.05, 5_000, 2_000), twoWay(0.1, -1_000, 1_000));

        // The burst that contradicts itself is ignored. Each of the others bounds the offset during the 100 ms between
        // them, in which the clocks can drift by 50 µs.
        assertThat(bound.boundNs()).isEqualTo(1_000 + 50_000);
        assertThat(bound.marks()).anyMatch(mark -> mark.startsWith("1 of 3 bursts of two-way exchanges contradict"));
    }

    @Test
    void hasNoBoundWithoutChronyAndExchanges() {
        ClockBound bound = bound(NOTHING, NOTHING);

        assertThat(bound.boundNs()).isNull();
        assertThat(bound.basis()).isEqualTo(Basis.NOTHING);
        assertThat(bound.marks())
                .containsExactly(
                        "The time daemon of the sender's clock was not queried.",
                        "The time daemon of the receiver's clock was not queried.",
                        "No two-way exchange bounds the offset of the clocks: the error of the lags is unknown.");
    }

    /** The true offset is never beyond the bound, whatever the offset, the drift within 500 ppm and the delays. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverUnderestimatesTrueOffset(long seed) {
        Random random = new Random(seed);
        ClockHistory none = history(without(0, Source.NO_DAEMON));
        for (int i = 0; i < 2_000; i++) {
            OffsetIntervalTest.TwoClocks clocks = new OffsetIntervalTest.TwoClocks(random, 500);
            List<OffsetInterval> bursts = new ArrayList<>();
            for (int burst = 0; burst < 5; burst++) {
                clocks.pass(random.nextInt(1_000_000_000));
                bursts.add(OffsetInterval.of(clocks.burst(4), OffsetInterval.LARGEST_DRIFT_PPM));
            }
            ClockBound bound = ClockBound.of(false, 1, none, none, bursts);
            long from = bursts.get(0).senderAtNs();
            long length = bursts.get(4).senderAtNs() - from;
            for (int k = 0; k <= 20; k++) {
                long truth = clocks.trueOffsetNs(from + length / 20 * k);
                assertThat(Math.abs(truth)).isLessThanOrEqualTo(bound.boundNs());
            }
            assertThat(bound.marks()).hasSize(2); // no contradiction is reported where there is none
        }
    }
}

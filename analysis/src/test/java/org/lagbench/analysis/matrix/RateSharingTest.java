package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.matrix.MatrixResult.PairSharing;
import org.lagbench.analysis.matrix.RateSharing.Repeat;

class RateSharingTest {
    @Test
    void findsFlowsThatShareRate() {
        RateSharing shared = RateSharing.of(List.of(repeat(187, 92), repeat(185, 94)), true);

        assertThat(shared.sharing()).isEqualTo(Sharing.SHARED);
        assertThat(shared.ratio()).isCloseTo(Math.sqrt(92 / 187.0 * 94 / 185.0), within(1e-12));
    }

    @Test
    void findsIndependentFlows() {
        RateSharing apart = RateSharing.of(List.of(repeat(102, 101), repeat(103, 103)), true);

        assertThat(apart.sharing()).isEqualTo(Sharing.APART);
        assertThat(apart.probability()).isLessThan(0.05);
    }

    /** Ratios of 0.93, which three repeats under load also give for flows that share a link. */
    @Test
    void isUncertainIfOnlyRatiosAreSimilar() {
        RateSharing steady = RateSharing.of(List.of(repeat(240, 223), repeat(240, 225), repeat(240, 221)), true);
        RateSharing varying = RateSharing.of(
                List.of(
                        new Repeat(List.of(160.0, 80.0), 223),
                        new Repeat(List.of(100.0, 140.0), 225),
                        new Repeat(List.of(130.0, 110.0), 221)),
                true);

        assertThat(steady.sharing()).isEqualTo(Sharing.APART);
        assertThat(varying.ratio()).isEqualTo(steady.ratio());
        assertThat(varying.sharing()).isEqualTo(Sharing.UNCERTAIN);
    }

    /** The ratios of two flows in opposite directions over a link of 4 Mb/s. */
    @Test
    void isUncertainForRatiosOfOppositeDirections() {
        RateSharing opposite = RateSharing.of(List.of(repeat(200, 166), repeat(200, 163), repeat(200, 165)), true);

        assertThat(opposite.sharing()).isEqualTo(Sharing.UNCERTAIN);
        assertThat(opposite.probability()).isCloseTo(0.5, within(0.05));
    }

    @Test
    void needsHigherProbabilityIfRepeatCanFollow() {
        List<Repeat> repeats = List.of(repeat(200, 142), repeat(200, 144));

        assertThat(RateSharing.of(repeats, true).sharing()).isEqualTo(Sharing.SHARED);
        assertThat(RateSharing.of(repeats, false).sharing()).isEqualTo(Sharing.UNCERTAIN);
        assertThat(RateSharing.of(List.of(repeat(200, 100), repeat(200, 100)), false)
                        .sharing())
                .isEqualTo(Sharing.SHARED);
    }

    @Test
    void isUncertainFromContradictoryRepeats() {
        assertThat(RateSharing.of(List.of(repeat(180, 90), repeat(180, 180)), true)
                        .sharing())
                .isEqualTo(Sharing.UNCERTAIN);
    }

    @Test
    void isUncertainIfRatesAreUnknown() {
        RateSharing unknown = RateSharing.of(List.of(repeat(180, 90), repeat(180, Double.NaN)), true);

        assertThat(unknown.sharing()).isEqualTo(Sharing.UNCERTAIN);
        assertThat(RateSharing.of(List.of(repeat(180, 90), repeat(180, 90), repeat(0, 0)), true)
                        .sharing())
                .isEqualTo(Sharing.SHARED);
    }

    @Test
    void groupsPairsDirectlyAndThroughOthers() {
        assertThat(MatrixResult.groups(List.of(
                        verdict("a", "d", Sharing.SHARED),
                        verdict("b", "c", Sharing.APART),
                        verdict("f", "d", Sharing.SHARED),
                        verdict("c", "e", Sharing.UNCERTAIN),
                        verdict("g", "e", Sharing.SHARED),
                        verdict("f", "a", Sharing.SHARED),
                        verdict("b", "c", Sharing.SHARED)))) // the first certain verdict is valid
                .containsExactly(List.of("a", "d", "f"), List.of("g", "e"));
    }

    private static PairSharing verdict(String first, String second, Sharing sharing) {
        return new PairSharing(1, first, second, sharing, Double.NaN, "delays");
    }

    /** Returns a repeat of two flows with the same rate alone. */
    private static Repeat repeat(double alone, double together) {
        return new Repeat(List.of(alone / 2, alone / 2), together);
    }
}

package org.lagbench.analysis.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.bottleneck.BottleneckGroups.Tested;
import org.lagbench.analysis.bottleneck.RateSharing.Repeat;

class RateSharingTest {
    @Test
    void findsFlowsThatShareRate() {
        RateSharing shared = RateSharing.of(List.of(new Repeat(187, 92), new Repeat(185, 94)));

        assertThat(shared.sharing()).isEqualTo(Sharing.SHARED);
        assertThat(shared.ratio()).isCloseTo(Math.sqrt(92 / 187.0 * 94 / 185.0), within(1e-12));
    }

    @Test
    void findsIndependentFlows() {
        RateSharing apart = RateSharing.of(List.of(new Repeat(102, 101), new Repeat(103, 103)));

        assertThat(apart.sharing()).isEqualTo(Sharing.APART);
        assertThat(apart.probability()).isLessThan(0.05);
    }

    @Test
    void isUncertainFromContradictoryRepeats() {
        assertThat(RateSharing.of(List.of(new Repeat(180, 90), new Repeat(180, 180)))
                        .sharing())
                .isEqualTo(Sharing.UNCERTAIN);
    }

    @Test
    void isUncertainIfRatesAreUnknown() {
        RateSharing unknown = RateSharing.of(List.of(new Repeat(180, 90), new Repeat(180, Double.NaN)));

        assertThat(unknown.sharing()).isEqualTo(Sharing.UNCERTAIN);
        assertThat(RateSharing.of(List.of(new Repeat(180, 90), new Repeat(180, 90), new Repeat(0, 0)))
                        .sharing())
                .isEqualTo(Sharing.SHARED);
    }

    @Test
    void groupsFlowsDirectlyAndThroughOthers() {
        List<Tested> tested = List.of(
                new Tested(0, 3, Sharing.SHARED),
                new Tested(1, 2, Sharing.APART),
                new Tested(3, 5, Sharing.SHARED),
                new Tested(2, 4, Sharing.UNCERTAIN),
                new Tested(6, 4, Sharing.SHARED));

        assertThat(BottleneckGroups.of(7, tested)).containsExactly(List.of(0, 3, 5), List.of(4, 6));
    }
}

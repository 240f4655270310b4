package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.join.RunPacketCounts;

class LossOrderTest {
    /** Tables of 95 % Poisson limits: the upper limit of 0 events is 3.689, the lower one of 8 is 3.454, of 9 4.115. */
    @ParameterizedTest
    @CsvSource({"8000", "250000", "100000000"})
    void countsNineLossesButNotEightAsMoreThanNone(long sent) {
        assertThat(LossOrder.lostMore(lost(8, sent), lost(0, sent))).isFalse();
        assertThat(LossOrder.lostMore(lost(9, sent), lost(0, sent))).isTrue();
    }

    @Test
    void comparesSharesOfDifferentNumbersOfPackets() {
        assertThat(LossOrder.lostMore(lost(5_768, 8_000), lost(40, 8_000))).isTrue();
        assertThat(LossOrder.lostMore(lost(40, 8_000), lost(5_768, 8_000))).isFalse();
        assertThat(LossOrder.lostMore(lost(400, 80_000), lost(40, 8_000))).isFalse();
        assertThat(LossOrder.lostMore(lost(10, 10), lost(0, 10))).isTrue();
        assertThat(LossOrder.lostMore(lost(0, 10), lost(0, 10))).isFalse();
        assertThat(LossOrder.lostMore(lost(0, 0), lost(0, 10))).isFalse();
    }

    private static RunPacketCounts lost(long lost, long sent) {
        return new RunPacketCounts(sent, sent - lost, lost, 0, 0, 0, 0);
    }
}

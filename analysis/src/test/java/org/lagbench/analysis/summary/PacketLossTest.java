package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketLossTest {
    /** Tables of 95 % Poisson limits: the upper limit of 0 events is 3.689, the lower one of 8 is 3.454, of 9 4.115. */
    @ParameterizedTest
    @CsvSource({"8000", "250000", "100000000"})
    void countsNineLossesButNotEightAsMoreThanNone(long sent) {
        assertThat(lost(8, sent).isGreaterThan(lost(0, sent))).isFalse();
        assertThat(lost(9, sent).isGreaterThan(lost(0, sent))).isTrue();
    }

    @Test
    void comparesSharesOfDifferentNumbersOfPackets() {
        assertThat(lost(5_768, 8_000).isGreaterThan(lost(40, 8_000))).isTrue();
        assertThat(lost(40, 8_000).isGreaterThan(lost(5_768, 8_000))).isFalse();
        assertThat(lost(400, 80_000).isGreaterThan(lost(40, 8_000))).isFalse();
        assertThat(lost(10, 10).isGreaterThan(lost(0, 10))).isTrue();
        assertThat(lost(0, 10).isGreaterThan(lost(0, 10))).isFalse();
        assertThat(lost(0, 0).isGreaterThan(lost(0, 10))).isFalse();
    }

    private static PacketLoss lost(long lost, long sent) {
        return new PacketLoss(lost, sent);
    }
}

package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.model.HostLoad;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostChecksTest {
    @ParameterizedTest
    @ValueSource(longs = {1_700_000_000_000_000_000L, 0, Long.MIN_VALUE, Long.MAX_VALUE})
    void endsAlthoughClockOfPeerStandsStill(long atNs) throws Exception {
        HostLoad before = load(1_700_000_000_000_000_000L);

        assertThat(HostChecks.load("Load there", before, () -> load(atNs)).subject())
                .isEqualTo("Load there");
    }

    private static HostLoad load(long atNs) {
        return new HostLoad(atNs, 0.5, 2, 0, 0, 4, 5, 6, 1, List.of(2L), List.of(2_400L));
    }
}

package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeNamespaceTest {
    @Test
    void readsTheOffsetOfTheMonotonicClock() {
        assertThat(TimeNamespace.monotonicAheadNs("monotonic     1000000         5\nboottime           7         0\n"))
                .isEqualTo(1_000_000_000_000_005L);
        assertThat(TimeNamespace.monotonicAheadNs("monotonic          -1 500000000\n"))
                .isEqualTo(-500_000_000L);
    }

    @Test
    void hasNoOffsetInTheInitialNamespace() throws Exception {
        assertThat(TimeNamespace.monotonicAheadNs("boottime           7         0\n"))
                .isZero();
    }
}

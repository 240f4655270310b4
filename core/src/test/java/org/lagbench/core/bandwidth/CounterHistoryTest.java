package org.lagbench.core.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.bandwidth.CounterSource.CounterReading;
import org.lagbench.core.failure.LagbenchException;

class CounterHistoryTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Bottleneck LINK = new Bottleneck("eth0", false, 10_000_000, 24, "", "", "");

    private static CounterReading reading(long octets, long packets) {
        return new CounterReading(octets, packets, Long.SIZE);
    }

    /** 750 packets/s of 1,000 bytes with 24 bytes of framing use 6.144 of 10 Mb/s. */
    @Test
    void subtractsTheRateOfTheCounters() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        assertThat(history.availableBitsPerS()).isEqualTo(CounterHistory.UNKNOWN);
        for (int second = 0; second <= 10; second++) {
            history.add(second * SECOND, reading(750_000L * second, 750L * second), 0);
        }
        assertThat(history.availableBitsPerS()).isCloseTo(10e6 - 6.144e6, within(1.0));
    }

    @Test
    void averagesOverThePeriodOnly() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        long octets = 0;
        for (int second = 0; second <= 20; second++) {
            octets += second > 10 && second <= 12 ? 1_000_000 : 0;
            history.add(second * SECOND, reading(octets, 0), 0);
            double expected =
                    switch (second) {
                        case 0 -> CounterHistory.UNKNOWN;
                        case 11, 15 -> 10e6 - 8e6 / 4;
                        case 12, 13, 14 -> 10e6 - 16e6 / 4;
                        default -> 10e6;
                    };
            assertThat(history.availableBitsPerS()).as("second %d", second).isCloseTo(expected, within(1.0));
        }
    }

    @Test
    void subtractsOwnBytes() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        history.add(0, reading(1_000, 0), 500);
        history.add(SECOND, reading(1_000 + 1_000_000, 0), 500 + 750_000);
        assertThat(history.availableBitsPerS()).isCloseTo(10e6 - 2e6, within(1.0));
    }

    @Test
    void continuesAfterA32BitCounterWrapped() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        history.add(0, new CounterReading((1L << 32) - 400_000, (1L << 32) - 5, Integer.SIZE), 0);
        history.add(SECOND, new CounterReading(100_000, 5, Integer.SIZE), 0);
        assertThat(history.availableBitsPerS()).isCloseTo(10e6 - 8 * (500_000 + 240), within(1.0));
    }

    @Test
    void startsAgainAfter32BitCounterReset() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        history.add(0, new CounterReading(900_000, 10, Integer.SIZE), 0);
        history.add(SECOND, new CounterReading(0, 0, Integer.SIZE), 0);
        assertThat(history.availableBitsPerS()).isEqualTo(CounterHistory.UNKNOWN);
    }

    @Test
    void startsAgainAfterCounterReset() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 0);
        history.add(0, reading(900_000, 10), 0);
        history.add(SECOND, reading(0, 0), 0);
        assertThat(history.availableBitsPerS()).isEqualTo(CounterHistory.UNKNOWN);
    }

    /** Reads the counters of a link with traffic of 4 Mb/s every 0.25 s. The agent refreshes them every 3 s. */
    @Test
    void skipsReadingsBeforeAgentRefresh() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 4 * SECOND);
        for (long atNs = 0; atNs <= 30 * SECOND; atNs += SECOND / 4) {
            history.add(atNs, reading(500_000 * (1 + atNs / SECOND / 3 * 3), 0), 0);
            if (atNs >= 6 * SECOND) {
                assertThat(history.availableBitsPerS()).as("at %d ns", atNs).isCloseTo(6e6, within(1.0));
            }
        }
    }

    @Test
    void treatsUnchangedCountersAsIdleLink() {
        CounterHistory history = new CounterHistory(LINK, 4 * SECOND, 4 * SECOND);
        for (int second = 0; second <= 20; second++) {
            history.add(second * SECOND, reading(500_000L * Math.min(second, 5), 0), 0);
        }
        assertThat(history.availableBitsPerS()).isCloseTo(10e6, within(1.0));
    }

    /**
     * Traffic of 6 Mb/s begins at 18 s. The agent refreshes its counters every 3 s. At 21 s it reports the traffic of 3
     * s, which is all traffic since 17 s.
     */
    @ParameterizedTest
    @CsvSource({"3, 4e6", "4, 4857142.9"}) // at 24 s: the average since 21 s, or 6 s of traffic since 17 s
    void averagesFirstTrafficOverStaleTime(long periodS, double at24) {
        CounterHistory history = new CounterHistory(LINK, periodS * SECOND, 4 * SECOND);
        for (long atNs = 0; atNs <= 40 * SECOND; atNs += SECOND / 20) {
            long refreshS = atNs / SECOND / 3 * 3;
            history.add(atNs, reading(750_000 * Math.max(0, refreshS - 18), 0), 0);
            double expected = refreshS < 21 ? 10e6 : refreshS < 24 ? 5.5e6 : refreshS < 27 ? at24 : 4e6;
            double expectedLast = refreshS < 21 ? 10e6 : refreshS < 24 ? 5.5e6 : 4e6;
            if (atNs >= 5 * SECOND) {
                assertThat(history.availableBitsPerS()).as("at %d ns", atNs).isCloseTo(expected, within(1.0));
                assertThat(history.lastBitsPerS()).as("last at %d ns", atNs).isCloseTo(expectedLast, within(1.0));
            }
        }
    }

    @Test
    void parsesTextOfBottleneck() throws Exception {
        Bottleneck bottleneck =
                new Bottleneck("path2", true, 10_000_000, 24, "/proc/7/net/dev", "10.139.0.2", "public");
        assertThat(Bottleneck.parse(bottleneck.text())).isEqualTo(bottleneck);
        assertThat(Bottleneck.parse("device=eth0,rate=1000").agent()).isEmpty();
        assertThatThrownBy(() -> Bottleneck.parse("device=eth0,speed=1000"))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("rate=BITS_PER_S");
    }
}

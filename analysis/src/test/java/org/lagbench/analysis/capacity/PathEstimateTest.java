package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.statistics.Interval;

/** Forecasts over a path of 100 segments in a round trip of 100 ms: 8 Mb/s with segments of 1,000 bytes. */
class PathEstimateTest {
    private static final double MS = 1e6;

    private static final ProbeVerdict SMALL = verdict(TransferLimit.SLOW_START, 3e6, 64_000);
    private static final ProbeVerdict LARGE = verdict(TransferLimit.NETWORK, 8e6, 1_000_000);

    @Test
    void isEmptyUnlessAProbeSaturatesPath() {
        assertThat(PathEstimate.of(List.of(probe(SMALL, 400)))).isEmpty();
    }

    /** The windows of 10, 20 and 34 segments take three round trips; sending the last window takes 34 ms more. */
    @Test
    void forecastsTransferOfEachSize() {
        PathEstimate forecast =
                PathEstimate.of(List.of(probe(SMALL, 334), probe(LARGE, 1_350))).orElseThrow();
        assertThat(forecast.timeNs(64_000).value()).isCloseTo(334 * MS, within(MS));
        assertThat(forecast.timeNs(1_000_000).value()).isCloseTo(1_350 * MS, within(MS));
        assertThat(forecast.timeNs(10_000_000).value()).isCloseTo(10_350 * MS, within(MS));
        assertThat(forecast.timeNs(1_000).value()).isCloseTo(101 * MS, within(MS));
    }

    /** A probe took 33.4 ms (10 %) longer than computed. The interval of the rate is 7.5 to 8.5 Mb/s. */
    @Test
    void widensIntervalByErrorOfProbesAndOfRate() {
        PathEstimate forecast = PathEstimate.of(List.of(probe(SMALL, 334 * 1.1), probe(LARGE, 1_350)))
                .orElseThrow();
        Interval large = forecast.timeNs(10_000_000);
        assertThat(large.value()).isCloseTo(10_350 * MS, within(MS));
        // 10 MB in segments of 1 ms: 350 ms of slow start, then 10 s at 8 Mb/s
        assertThat(large.low()).isCloseTo(10_000 * MS * 8 / 8.5 + 350 * MS, within(30 * MS));
        assertThat(large.high()).isCloseTo(10_000 * MS * 8 / 7.5 + (350 + 33.4) * MS, within(30 * MS));
        Interval small = forecast.timeNs(1_000);
        assertThat(small.low()).isCloseTo(101 * MS, within(MS));
        assertThat(small.high()).isCloseTo(1.1 * 101 * MS, within(MS));
    }

    /** The first two probes differ by 6 ms. The second took 6 ms longer than computed. */
    @Test
    void widensIntervalByDifferenceOfEqualProbes() {
        PathEstimate forecast = PathEstimate.of(List.of(probe(SMALL, 334), probe(SMALL, 340), probe(LARGE, 1_350)))
                .orElseThrow();

        Interval small = forecast.timeNs(64_000);

        assertThat(small.low()).isCloseTo((334 - 6) * MS, within(3 * MS));
        assertThat(small.high()).isCloseTo((340 + 6) * MS, within(3 * MS));
    }

    /** A probe was a third faster than computed. The highest rate is 8.5 Mb/s. */
    @Test
    void forecastsNoTransferFasterThanHighestRate() {
        PathEstimate forecast =
                PathEstimate.of(List.of(probe(SMALL, 334), probe(LARGE, 900))).orElseThrow();
        assertThat(forecast.timeNs(10_000_000).low()).isEqualTo(10_000_000 * 8e9 / 8.5e6);
        assertThat(forecast.timeNs(1_000_000).low()).as("as fast as the probe").isEqualTo(900 * MS);
    }

    private static Probe probe(ProbeVerdict verdict, double ms) {
        return new Probe(verdict.bytes(), ms * MS, verdict);
    }

    private static ProbeVerdict verdict(TransferLimit verdict, double bitsPerS, long bytes) {
        boolean isNetwork = verdict == TransferLimit.NETWORK;
        return new ProbeVerdict(
                verdict,
                isNetwork ? new Interval(bitsPerS, 7.5e6, 8.5e6) : new Interval(bitsPerS, Double.NaN, Double.NaN),
                bytes,
                (long) (100 * MS),
                10,
                1_000);
    }
}

package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.RateSearch.Bounds;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.statistics.Interval;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CapacityReportTest {
    private static final double MS = 1e6;
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final RateTest CARRIED = test(16e6, false, false);
    private static final RateTest QUEUED = test(64e6, true, true);
    private static final RateTest WAITED = test(256e6, true, false);

    @Test
    void showsRateOfSaturatedPathAndForecasts() {
        Probe full = new Probe(1_000_000, 1_350 * MS, verdict(TransferLimit.NETWORK, 8e6, 7.5e6, 8.5e6));
        String text = CapacityReport.ofTcp(List.of(full), PathEstimate.of(List.of(full)), List.of())
                .text(TableFormat.TEXT);
        assertThat(text)
                .contains("TCP achieves 8.00 Mbit/s on this path (7.50 to 8.50 Mbit/s).", "network", "1.35")
                .containsPattern("1 KiB +[0-9.]+ ms")
                .containsPattern("10 GiB +10,[0-9]{3} s");
    }

    @Test
    void noTransferIsForecastToEndBeforeRoundTrip() {
        Probe full = new Probe(1_000_000, 1_350 * MS, verdict(TransferLimit.NETWORK, 8e6, 7.5e6, 8.5e6));
        Probe slower = new Probe(1_000_000, 1_850 * MS, verdict(TransferLimit.NETWORK, 8e6, 7.5e6, 8.5e6));
        List<Probe> probes = List.of(full, slower);
        JsonNode json = JsonMapper.shared()
                .readTree(CapacityReport.ofTcp(probes, PathEstimate.of(probes), List.of())
                        .text(TableFormat.JSON));
        assertThat(json.at("/forecasts/0/lowNs").asDouble()).isEqualTo(100_000_000);
    }

    @Test
    void statesWhatRateOfUnfilledPathIs() {
        Probe full = new Probe(1_000_000, 1_350 * MS, verdict(TransferLimit.NETWORK, 8e6, 7.5e6, 8.5e6));
        Probe small = new Probe(16_384, 101 * MS, verdict(TransferLimit.SLOW_START, .248e6, Double.NaN, Double.NaN));
        List<Probe> probes = List.of(small, full);
        assertThat(CapacityReport.ofTcp(probes, PathEstimate.of(probes), List.of())
                        .text(TableFormat.MARKDOWN))
                .contains(CapacityReport.OF_SECOND_HALF);
        assertThat(CapacityReport.ofTcp(List.of(full), PathEstimate.of(List.of(full)), List.of())
                        .text(TableFormat.MARKDOWN))
                .doesNotContain(CapacityReport.OF_SECOND_HALF);
    }

    @Test
    void showsLowerBoundAndLimit() {
        Probe limited = new Probe(1_000_000, 1_350 * MS, verdict(TransferLimit.WINDOW, 3e6, Double.NaN, Double.NaN));
        assertThat(CapacityReport.ofTcp(List.of(limited), Optional.empty(), List.of())
                        .text(TableFormat.TEXT))
                .contains("limited by the window", "achieves at least 5.93 Mbit/s", "window limited", "tcp.send-buffer")
                .doesNotContain("10 GiB");
    }

    private static ProbeVerdict verdict(TransferLimit verdict, double bitsPerS, double low, double high) {
        return new ProbeVerdict(verdict, new Interval(bitsPerS, low, high), 1_000_000, (long) (100 * MS), 10, 1_000);
    }

    @Test
    void showsTestsAndResult() {
        Result result = ofUdp(new Interval(32e6, 16e6, 64e6));
        assertThat(result.text(TableFormat.TEXT))
                .contains("The available bandwidth is 32.0 Mbit/s (16.0 to 64.0 Mbit/s).")
                .contains("carried", "too fast: a queue grew", "too fast: the sender waited");
        JsonNode json = new JsonMapper().readTree(result.text(TableFormat.JSON));
        assertThat(json.at("/bitsPerS/value").asDouble()).isEqualTo(32e6);
        assertThat(json.at("/bytes").asLong()).isEqualTo(3_000_000);
        assertThat(json.at("/tests")).hasSize(3);
    }

    @Test
    void showsKnownBound() {
        assertThat(ofUdp(new Interval(Double.NaN, 16e6, INFINITE)).text(TableFormat.TEXT))
                .contains("The available bandwidth is at least 16.0 Mbit/s.");
        Result atMost = ofUdp(new Interval(Double.NaN, 0, 64e6));
        assertThat(atMost.text(TableFormat.TEXT)).contains("The available bandwidth is at most 64.0 Mbit/s.");
        assertThat(new JsonMapper()
                        .readTree(atMost.text(TableFormat.JSON))
                        .at("/bitsPerS/value")
                        .isNull())
                .isTrue();
    }

    /** A train that its sender delayed does not show that the path is full, but that it carried what arrived. */
    @Test
    void showsLowerBoundIfSenderWasTheLimit() {
        List<RateTest> tests = List.of(CARRIED, QUEUED, WAITED);
        assertThat(CapacityReport.ofAvailable(tests, new Bounds(64e6, 256e6), List.of())
                        .text(TableFormat.TEXT))
                .contains("The available bandwidth is at least 200 Mbit/s.", "it could not send 256 Mbit/s");
        assertThat(CapacityReport.ofAvailable(tests, new Bounds(16e6, 64e6), List.of())
                        .text(TableFormat.TEXT))
                .contains("The available bandwidth is 32.0 Mbit/s (16.0 to 64.0 Mbit/s).");
    }

    /** Jitter makes the arrival rate of a train higher or lower than the link's rate of 8 Mbit/s. */
    @Test
    void showsMedianRateOfTrainsThatFilledPath() {
        List<RateTest> tests =
                Stream.of(7.9, 8.8, 8.0, 8.1, 7.9).map(CapacityReportTest::full).toList();
        assertThat(CapacityReport.ofCapacity(tests, List.of()).text(TableFormat.TEXT))
                .contains("The IP-layer capacity is 8.00 Mbit/s (7.92 to 8.08 Mbit/s).");
        assertThat(CapacityReport.ofCapacity(List.of(CARRIED), List.of()).text(TableFormat.TEXT))
                .contains("The IP-layer capacity is at least 16.0 Mbit/s.", "give a larger --budget");
    }

    /** A busy machine delays packets as a full path does, but the path carried what arrived. */
    @Test
    void isUndecidedIfMachineSpoiledRunsThatBoundRate() {
        RateTest spoiled = spoiled(QUEUED);
        String load = "Other programs used 40 %. This was so in 3 of 3 runs.";
        Result available =
                CapacityReport.ofAvailable(List.of(CARRIED, spoiled, spoiled), new Bounds(16e6, 64e6), List.of(load));
        assertUndecided(available, "The available bandwidth is at least 16.0 Mbit/s: undecided (load)", load);
        assertThat(CapacityReport.ofAvailable(List.of(CARRIED, spoiled, QUEUED), new Bounds(16e6, 64e6), List.of(load))
                        .text(TableFormat.TEXT))
                .contains("32.0 Mbit/s (16.0 to 64.0 Mbit/s)", "! " + load)
                .doesNotStartWith("! ");

        Result capacity = CapacityReport.ofCapacity(List.of(CARRIED, spoiled(full(8))), List.of(load));
        assertUndecided(capacity, "The IP-layer capacity is at least 16.0 Mbit/s: undecided (load)", load);
        assertThat(CapacityReport.ofCapacity(List.of(spoiled(full(4)), full(8)), List.of(load))
                        .text(TableFormat.TEXT))
                .contains("capacity is 8.00 Mbit/s");

        Probe full = new Probe(1_000_000, 1_350 * MS, verdict(TransferLimit.NETWORK, 8e6, 7.5e6, 8.5e6));
        assertUndecided(
                CapacityReport.ofTcp(List.of(full), Optional.empty(), List.of(load)),
                "TCP achieves at least 5.93 Mbit/s on this path: undecided (load)",
                load);
    }

    private static void assertUndecided(Result result, String sentence, String load) {
        assertThat(result.text(TableFormat.TEXT).replace("\n  ", " "))
                .startsWith("! " + load)
                .contains(sentence, "machine.max-other-load=100%");
        JsonNode json = new JsonMapper().readTree(result.text(TableFormat.JSON));
        assertThat(json.get(CapacityReport.DOUBT).asString()).isEqualTo("load");
        assertThat(json.at("/bitsPerS/value").isNull()).isTrue();
    }

    private static RateTest spoiled(RateTest test) {
        return new RateTest(
                test.rate(),
                test.bytes(),
                test.received(),
                test.lostShare(),
                test.isTooFast(),
                test.isTooFastForNetwork(),
                false,
                true);
    }

    private static RateTest full(double mbitPerS) {
        double rate = mbitPerS * 1e6;
        return new RateTest(10e6, 1_000_000, new Interval(rate, .99 * rate, 1.01 * rate), 0, true, true, false, false);
    }

    private static Result ofUdp(Interval bitsPerS) {
        return CapacityReport.ofUdp("available bandwidth", List.of(CARRIED, QUEUED, WAITED), bitsPerS, List.of(), null);
    }

    private static RateTest test(double rate, boolean isTooFast, boolean isTooFastForNetwork) {
        return new RateTest(
                rate,
                1_000_000,
                new Interval(rate, Math.min(rate, 200e6), rate),
                0,
                isTooFast,
                isTooFastForNetwork,
                false,
                false);
    }
}

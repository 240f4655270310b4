package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.RateSearch.Bounds;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.statistics.Interval;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RateReportTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final RateTest CARRIED = test(16e6, false, false);
    private static final RateTest QUEUED = test(64e6, true, true);
    private static final RateTest WAITED = test(256e6, true, false);

    @Test
    void showsTestsAndResult() {
        RateReport report = report(new Interval(32e6, 16e6, 64e6));
        assertThat(report.result().text(TableFormat.TEXT))
                .contains("The available bandwidth is 32.00 Mb/s (16.00 to 64.00 Mb/s).")
                .contains("carried", "too fast: a queue grew", "too fast: the sender waited");
        JsonNode json = new JsonMapper().readTree(report.result().text(TableFormat.JSON));
        assertThat(json.at("/bitsPerS/value").asDouble()).isEqualTo(32e6);
        assertThat(json.at("/bytes").asLong()).isEqualTo(3_000_000);
        assertThat(json.at("/tests")).hasSize(3);
    }

    @Test
    void showsKnownBound() {
        assertThat(report(new Interval(Double.NaN, 16e6, INFINITE)).result().text(TableFormat.TEXT))
                .contains("The available bandwidth is at least 16.00 Mb/s.");
        RateReport atMost = report(new Interval(Double.NaN, 0, 64e6));
        assertThat(atMost.result().text(TableFormat.TEXT)).contains("The available bandwidth is at most 64.00 Mb/s.");
        assertThat(new JsonMapper()
                        .readTree(atMost.result().text(TableFormat.JSON))
                        .at("/bitsPerS/value")
                        .isNull())
                .isTrue();
    }

    /** A train that its sender delayed does not show that the path is full, but that it carried what arrived. */
    @Test
    void showsLowerBoundIfSenderWasTheLimit() {
        RateReport report = RateReport.available(List.of(CARRIED, QUEUED, WAITED), new Bounds(64e6, 256e6));
        assertThat(report.result().text(TableFormat.TEXT))
                .contains("The available bandwidth is at least 200.0 Mb/s.", "it could not send 256.0 Mb/s");
        assertThat(RateReport.available(List.of(CARRIED, QUEUED, WAITED), new Bounds(16e6, 64e6))
                        .result()
                        .text(TableFormat.TEXT))
                .contains("The available bandwidth is 32.00 Mb/s (16.00 to 64.00 Mb/s).");
    }

    private static RateReport report(Interval bitsPerS) {
        return new RateReport("available bandwidth", List.of(CARRIED, QUEUED, WAITED), bitsPerS, null);
    }

    private static RateTest test(double rate, boolean isTooFast, boolean isTooFastForNetwork) {
        return new RateTest(
                rate,
                1_000_000,
                new Interval(rate, Math.min(rate, 200e6), rate),
                0,
                isTooFast,
                isTooFastForNetwork,
                false);
    }
}

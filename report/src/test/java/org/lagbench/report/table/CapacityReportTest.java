package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.Verdict;
import org.lagbench.analysis.statistics.Interval;

class CapacityReportTest {
    private static final double MS = 1e6;

    @Test
    void showsRateOfFullPathAndForecasts() {
        Probe full = new Probe(1_000_000, 1_350 * MS, verdict(Verdict.NETWORK, 8e6, 7.5e6, 8.5e6));
        String text = new CapacityReport(List.of(full), PathEstimate.of(List.of(full)))
                .result()
                .text(TableFormat.TEXT);
        assertThat(text)
                .contains(
                        "TCP achieves 8.000 Mb/s on this path (7.500 to 8.500 Mb/s).", "network", "1,350.0", "10 GiB");
    }

    @Test
    void showsLowerBoundAndLimit() {
        Probe limited = new Probe(1_000_000, 1_350 * MS, verdict(Verdict.WINDOW, 3e6, Double.NaN, Double.NaN));
        assertThat(new CapacityReport(List.of(limited), Optional.empty())
                        .result()
                        .text(TableFormat.TEXT))
                .contains("limited by the window", "achieves at least 5.926 Mb/s", "window limited", "tcp.send-buffer")
                .doesNotContain("10 GiB");
    }

    private static ProbeVerdict verdict(Verdict verdict, double bitsPerS, double low, double high) {
        return new ProbeVerdict(verdict, new Interval(bitsPerS, low, high), 1_000_000, (long) (100 * MS), 10, 1_000);
    }
}

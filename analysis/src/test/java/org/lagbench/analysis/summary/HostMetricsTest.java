package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.HostLoad;

class HostMetricsTest {
    private static final long SECOND_NS = 1_000_000_000;

    private static HostLoad load(long busyTicks, long allTicks, long cpuWaitUs) {
        return new HostLoad(0, 0, busyTicks, 0, 0, allTicks, cpuWaitUs, 1, 0, List.of(), List.of());
    }

    private static Map<String, Double> values(HostLoad before, HostLoad now) {
        HostMetrics host = new HostMetrics(before, now, SECOND_NS);
        Map<String, Double> values = new LinkedHashMap<>();
        HostMetrics.METRICS.forEach(each -> each.forEach(host, (metric, value) -> values.put(metric.id(), value)));
        return values;
    }

    @Test
    void areSharesOfTimeBetweenReadings() {
        assertThat(values(load(100, 1_000, 5_000), load(130, 1_200, 255_000)))
                .containsExactly(entry("host.cpuLoad", 15.0), entry("host.runQueue", 25.0));
        assertThat(HostMetrics.METRICS)
                .extracting(metric ->
                        metric.whole(new HostMetrics(load(100, 1_000, 5_000), load(130, 1_200, 255_000), SECOND_NS)))
                .containsExactly(200.0, (double) SECOND_NS);
    }

    @Test
    void areUnknownIfKernelDoesNotReportThem() {
        HostLoad unknown = load(HostLoad.UNKNOWN, HostLoad.UNKNOWN, HostLoad.UNKNOWN);
        assertThat(values(unknown, unknown)).isEmpty();
    }
}

package org.lagbench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChartKindsTest {
    @Test
    void hasTheOrderThatKindsDeclare() {
        assertThat(ChartKinds.load().names())
                .containsExactly(
                        "lag-distribution",
                        "slow-packets",
                        "lag-boxes",
                        "inter-packet-delay",
                        "lag-over-send-delay",
                        "lag-over-time",
                        "buffer-occupancy",
                        "ledger",
                        "over-packet-size",
                        "loss-over-latency",
                        "compression-over-bandwidth",
                        "compression-over-size",
                        "compression-errors",
                        "turning-point",
                        "error-histogram",
                        "error-distribution");
        assertThat(new ChartKinds(List.of(new RecoveryChart(), new CauseCharts())).sources())
                .extracting(source -> source.kinds().get(0).name())
                .containsExactly("slow-packets", "loss-over-latency");
    }

    @Test
    void refusesTwoKindsOfOneName() {
        assertThatThrownBy(() -> new ChartKinds(List.of(new RecoveryChart(), new RecoveryChart())))
                .hasMessageStartingWith("The chart \"loss-over-latency\" is registered twice: ")
                .hasMessageContaining(RecoveryChart.class.getName());
    }
}

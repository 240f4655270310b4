package org.lagbench.analysis.summary;

import java.util.List;

/** The groups of the base. */
public final class BaseGroups implements MetricGroup.Source {
    @Override
    public List<MetricGroup<?>> groups() {
        return List.of(
                MetricGroup.RUNS,
                MetricGroup.PACKETS,
                MetricGroup.RATES,
                MetricGroup.FOREIGN,
                MetricGroup.KERNEL_DROPS,
                MetricGroup.DAMAGED,
                MetricGroup.RECORDED_DROPS,
                MetricGroup.FAILED_SENDS,
                MetricGroup.PATH_MTU,
                MetricGroup.OVERWRITTEN,
                MetricGroup.LOSS_PLACES,
                MetricGroup.RETRANSMISSIONS,
                MetricGroup.BUFFERS,
                MetricGroup.PACKETS_PER_CALL,
                MetricGroup.CLOCK,
                MetricGroup.SERIES,
                MetricGroup.CORRECTED,
                MetricGroup.WARM_UP,
                MetricGroup.RECOVERY,
                MetricGroup.OCCUPANCY,
                MetricGroup.ROUND_TRIPS,
                MetricGroup.ALLOCATION,
                MetricGroup.STREAMS,
                MetricGroup.LOSS);
    }
}

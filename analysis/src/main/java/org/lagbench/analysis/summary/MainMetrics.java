package org.lagbench.analysis.summary;

import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;

/** Metrics that commands show without being asked for. */
public final class MainMetrics {
    /** The median of the transmit lag. */
    public static final Metric<?> LAG = MetricRegistry.of("lag.median");

    /** The median of the round trips. */
    public static final Metric<?> ROUND_TRIP = MetricRegistry.of("roundTrip.median");

    /** The rate of the packets between the first and the last arrival, without network headers. */
    public static final Metric<?> RECEIVE_RATE = MetricRegistry.of("receiveRate");

    /** The share of packets that were lost; in round trips, the share of packets without a reply in time. */
    public static final Metric<?> LOSS = MetricRegistry.of("loss");

    /** The share of the schedule that the sender kept. */
    public static final Metric<?> SCHEDULE_KEPT = MetricRegistry.of("scheduleKept");

    /** The median of the throughput of transfers, as in the Network Weather Service. */
    public static final Metric<?> THROUGHPUT = MetricRegistry.of("throughput.elapsed");

    private MainMetrics() {}
}

package org.lagbench.analysis.summary;

import java.util.List;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.Metric;

/**
 * How busy the CPUs of a receiver's host were between two readings.
 *
 * @param elapsedNs the time between them
 */
public record HostMetrics(HostLoad before, HostLoad now, long elapsedNs) {
    /** The metrics of a host, which a monitor records. */
    public static final List<Metric<HostMetrics>> METRICS = List.of(
            Metric.quotient(
                    "host.cpuLoad",
                    "CPU load of the receiver's host",
                    "Share",
                    host -> host.now.busySince(host.before),
                    host -> host.now.allTicks() - host.before.allTicks()),
            Metric.quotient(
                    "host.runQueue",
                    "Time with a task waiting for a CPU on the receiver's host",
                    "Share",
                    host -> host.now.waitSince(host.before, host.elapsedNs),
                    HostMetrics::elapsedNs));
}

package org.lagbench.runner.monitor;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.HostMetrics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.sender.ProbeSender;

/** How busy the CPUs of the receiver's host were since the previous probe. */
final class LoadProbe implements Probe {
    private final ProbeSender sender;
    private final List<SeriesInfo> series;
    private @Nullable HostLoad last;
    private long lastNs;

    /** @param prefix of the names of the series */
    LoadProbe(ProbeSender sender, String prefix, long everyNs) {
        this.sender = sender;
        this.series = HostMetrics.METRICS.stream()
                .map(metric -> Probe.series(prefix, metric, true, everyNs, sender.receiver()))
                .toList();
    }

    @Override
    public List<SeriesInfo> series() {
        return series;
    }

    @Override
    public List<Measured> measure(long atNs) throws LagbenchException {
        HostLoad before = last;
        long beforeNs = lastNs;
        last = null;
        HostLoad now = sender.load();
        long nowNs = System.nanoTime();
        last = now;
        lastNs = nowNs;
        HostMetrics host = before == null ? null : new HostMetrics(before, now, nowNs - beforeNs);
        return HostMetrics.METRICS.stream()
                .map(metric -> Measured.of(host == null ? Double.NaN : metric.value(host)))
                .toList();
    }
}

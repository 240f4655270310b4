package org.lagbench.runner.monitor;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.series.Domain;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.text.Units;
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
        this.series = List.of(
                new SeriesInfo(
                        prefix + "host.cpu-load",
                        prefix + "CPU load of the receiver's host",
                        "%",
                        everyNs,
                        Domain.PERCENT),
                new SeriesInfo(
                        prefix + "host.run-queue",
                        prefix + "time with a task waiting for a CPU on the receiver's host",
                        "%",
                        everyNs,
                        Domain.PERCENT));
    }

    @Override
    public List<SeriesInfo> series() {
        return series;
    }

    @Override
    public List<Probe.Measured> measure(long atNs) throws LagbenchException {
        HostLoad before = last;
        long beforeNs = lastNs;
        last = null;
        HostLoad now = sender.load();
        long nowNs = System.nanoTime();
        last = now;
        lastNs = nowNs;
        return before == null
                ? List.of(Probe.Measured.of(Double.NaN), Probe.Measured.of(Double.NaN))
                : List.of(
                        Probe.Measured.of(Units.PERCENT * now.busySince(before)),
                        Probe.Measured.of(Units.PERCENT * now.waitSince(before, nowNs - beforeNs)));
    }
}

package org.lagbench.web;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The series of a monitor as metrics. Clients that accept OpenMetrics 1.0, such as Prometheus, get its text format.
 * Others get the older text format of Prometheus. An undefined number has no sample.
 */
public final class OpenMetrics implements LiveSource {
    /** The path of the metrics. */
    public static final String PATH = "/metrics";

    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final Supplier<List<SeriesSnapshot>> snapshots;
    private final LongSupplier nowNs;

    /**
     * Creates the source of the metrics.
     *
     * @param snapshots returns the series as they are now
     * @param nowNs returns the time in ns since the epoch, for the age of values
     */
    public OpenMetrics(Supplier<List<SeriesSnapshot>> snapshots, LongSupplier nowNs) {
        this.snapshots = snapshots;
        this.nowNs = nowNs;
    }

    @Override
    public LiveAnswer answer(Map<String, String> query) {
        return answer(query, "");
    }

    @Override
    public LiveAnswer answer(Map<String, String> query, String accept) {
        boolean isOpen = accept.contains(OPEN_METRICS);
        String text = new MetricsText(isOpen).of(snapshots.get(), nowNs.getAsLong());
        return LiveAnswer.ok(
                isOpen ? OPEN_METRICS + "; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8",
                text);
    }
}

package org.lagbench.skeleton;

import java.util.List;
import java.util.Map;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.Traffic;

/** The group of the metrics of gaps. Tables, JSON, CSV, requirements and all others find them by it. */
public final class GapsGroup implements MetricGroup.Source {
    /** The gaps, which take another pass through the captures, and so are computed on request. */
    static final MetricGroup<Gaps> GAPS =
            MetricGroup.onRequest("gaps", 2_000, Gaps.METRICS, runs -> Gaps.of(runs.joined()));

    @Override
    public List<MetricGroup<?>> groups() {
        return List.of(GAPS);
    }

    @Override
    public List<MetricMeaning> meanings() {
        return List.of(new MetricMeaning("gaps", Map.of(Traffic.ONE_WAY, "times without an arrival at the receiver")));
    }
}

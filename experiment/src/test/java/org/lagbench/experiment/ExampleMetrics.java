package org.lagbench.experiment;

import java.util.List;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;

/** Metrics that experiments name, as the room that computes them declares them. */
public final class ExampleMetrics implements Metric.Source {
    @Override
    public List<Metric<?>> metrics() {
        return List.of(
                time("lag.median", Combination.MEDIAN),
                time("lag.q95", Combination.MEDIAN),
                time("lag.q99", Combination.MEDIAN),
                time("lag.mean", Combination.MEDIAN),
                time("lag.maximum", Combination.MAX),
                time("roundTrip.q99", Combination.MEDIAN),
                time("receiveDelay.q99", Combination.MEDIAN),
                time("playout.delay", Combination.MEDIAN),
                Metric.<Long>rate("receiveRate", "Receive rate", "Mean", Combination.MEDIAN, bits -> bits));
    }

    private static Metric<Long> time(String id, Combination combination) {
        return Metric.time(id, "Time", "Value", combination, ns -> ns);
    }

    @Override
    public List<MetricMeaning> meanings() {
        return List.of();
    }
}

package org.lagbench.analysis.summary;

import static org.lagbench.analysis.statistics.Interval.medianConfidence;
import static org.lagbench.analysis.statistics.Interval.medianRank;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PointSummary.RunSummary;

/**
 * Intervals of the runs' medians and quantiles over the repeats of a point, by order statistics. Each interval contains
 * the median, over all repeats that could be made, of that metric of a run; see
 * {@link org.lagbench.analysis.statistics.Interval#ofRanks}. Fewer than {@value #MIN} repeats do not reach 95 %.
 * Repeats are taken as independent, packets of a run are not.
 *
 * @param repeats number of runs, at least 2
 * @param confidence of each interval, from 0.5
 * @param series the intervals of the median, Q95 and Q99 by series
 */
public record RepeatIntervals(int repeats, double confidence, Map<PacketDelay, Map<Statistic, Interval>> series) {
    /** The minimum number of repeats whose intervals have a confidence of 95 %. */
    public static final int MIN = 6;

    private static final List<Statistic> STATISTICS = List.of(Statistic.MEDIAN, Statistic.Q95, Statistic.Q99);

    /** An interval in ns; NaN where a run has no value. */
    public record Interval(double lowNs, double highNs) {}

    /** Returns the intervals of a point; null if it has one run. */
    static @Nullable RepeatIntervals of(List<RunSummary> runs) {
        int repeats = runs.size();
        if (repeats < 2) {
            return null;
        }
        int rank = medianRank(repeats);
        Map<PacketDelay, Map<Statistic, Interval>> series = new LinkedHashMap<>();
        for (PacketDelay each : runs.get(0).metrics().series().keySet()) {
            List<SeriesStatistics> ofRuns = runs.stream()
                    .map(run -> run.metrics().series().get(each))
                    .filter(Objects::nonNull)
                    .toList();
            if (ofRuns.size() == repeats) {
                Map<Statistic, Interval> intervals = new EnumMap<>(Statistic.class);
                for (Statistic statistic : STATISTICS) {
                    double[] sorted =
                            ofRuns.stream().mapToDouble(statistic::ns).sorted().toArray();
                    intervals.put(statistic, new Interval(sorted[rank], sorted[repeats - 1 - rank]));
                }
                series.put(each, intervals);
            }
        }
        return new RepeatIntervals(repeats, medianConfidence(repeats), Collections.unmodifiableMap(series));
    }
}

package org.lagbench.analysis.summary;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The value of a metric over the repeats of a point, combined as the metric declares. All verdicts are on it.
 *
 * @param metric one that is judged
 * @param runs in the order of execution
 */
public record RepeatEstimate(Metric<?> metric, List<RunValue> runs) {
    /** The minimum number of repeats for an interval. */
    public static final int MIN = RepeatIntervals.MIN;

    private static final Interval NO_VALUE = Interval.ofRanks();

    /**
     * What one run shows.
     *
     * @param repeat the number of its repeat
     * @param value in the unit of the metric; NaN if the run has none
     * @param whole what a pooled metric is a part of; NaN for others, or if unknown
     */
    public record RunValue(int repeat, double value, double whole) {
        /** Returns the value of a run of a point. */
        public static RunValue of(int repeat, Metrics metrics, MeasuredPoint point, Metric<?> metric) {
            return new RunValue(repeat, metrics.valueOrNone(metric, point), metrics.whole(metric));
        }
    }

    public RepeatEstimate {
        runs = List.copyOf(runs);
    }

    /** Returns the number of repeats. */
    public int repeats() {
        return (int) runs.stream().map(RunValue::repeat).distinct().count();
    }

    /** Returns whether each run has a value. */
    public boolean hasAllValues() {
        boolean isPooled = kind() == Combination.POOLED;
        return !runs.isEmpty()
                && runs.stream().noneMatch(run -> Double.isNaN(run.value()) || (isPooled && Double.isNaN(run.whole())));
    }

    /** Returns the value with its 95 % interval. */
    public Interval interval() {
        return interval((1 - Interval.CONFIDENCE) / 2);
    }

    /**
     * Returns the value with its interval: NaN if a run has none; without ends with fewer than {@value #MIN} repeats. A
     * sum, a min and a max are those of the runs alone, so that both ends are equal to them.
     *
     * @param tail the error probability at either end
     */
    public Interval interval(double tail) {
        if (!hasAllValues()) {
            return NO_VALUE;
        }
        Interval interval =
                switch (kind()) {
                    case POOLED -> pooled(tail);
                    case SUM -> exact(values().sum());
                    case MIN -> exact(values().min().orElseThrow());
                    case MAX -> exact(values().max().orElseThrow());
                    case MEDIAN -> Interval.ofRanks(ofRepeats(), 1 - 2 * tail);
                    case NOT_JUDGED -> NO_VALUE;
                };
        return repeats() < MIN ? interval.withoutEnds() : interval;
    }

    private Combination kind() {
        return metric.combination();
    }

    private DoubleStream values() {
        return runs.stream().mapToDouble(RunValue::value);
    }

    private static Interval exact(double value) {
        return new Interval(value, value, value);
    }

    private double share(RunValue run) {
        return run.value() / metric.scaled(1);
    }

    private Interval pooled(double tail) {
        double[] wholes = runs.stream().mapToDouble(RunValue::whole).toArray();
        double[] parts = new double[wholes.length];
        Arrays.setAll(parts, run -> share(runs.get(run)) * wholes[run]);
        return new ClusteredShare(parts, wholes, ClusteredShare.ASSUMED_BURST)
                .interval(tail)
                .times(metric.scaled(1));
    }

    /** Returns the value of each repeat; the mean if it has several runs. */
    private double[] ofRepeats() {
        return runs.stream()
                .collect(Collectors.groupingBy(
                        RunValue::repeat, TreeMap::new, Collectors.averagingDouble(RunValue::value)))
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }
}

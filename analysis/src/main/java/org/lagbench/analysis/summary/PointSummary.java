package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;

/**
 * The metrics of one point of the experiment.
 *
 * @param point what its repeats have in common
 * @param pooled the metrics of all its runs pooled
 * @param runs its runs by name, at least one
 */
public record PointSummary(MeasuredPoint point, Metrics pooled, List<RunSummary> runs) {
    /** Returns the intervals of the runs' medians and quantiles; null if there is one run. */
    public @Nullable RepeatIntervals repeatIntervals() {
        return RepeatIntervals.of(runs);
    }

    /** Returns the value of a metric of all runs pooled; NaN if there is none. */
    public double value(Metric<?> metric) {
        return pooled.value(metric, point);
    }

    /** Returns the value of each repeat that has one, in the order of execution; the mean of several runs. */
    public Map<Integer, Double> byRepeat(Metric<?> metric) {
        Map<Integer, Double> values = runs.stream()
                .collect(Collectors.groupingBy(
                        RunSummary::repeat, TreeMap::new, Collectors.averagingDouble(run -> run.metrics()
                                .valueOrNone(metric, point))));
        values.values().removeIf(value -> Double.isNaN(value));
        return values;
    }

    /** Returns what its runs show of a metric. */
    public RepeatEstimate estimate(Metric<?> metric) {
        return new RepeatEstimate(
                metric,
                runs.stream()
                        .map(run -> RepeatEstimate.RunValue.of(run.repeat(), run.metrics(), point, metric))
                        .toList());
    }

    /**
     * Returns this point with the runs that decide about it: those that the machine did not spoil. There may be none;
     * the pooled metrics remain those of all runs.
     */
    public PointSummary deciding() {
        return new PointSummary(
                point,
                pooled,
                runs.stream().filter(run -> run.spoiledBy().isEmpty()).toList());
    }

    /** Returns this point with the runs of these repeats; the pooled metrics remain those of all runs. */
    public PointSummary with(Set<Integer> repeats) {
        return new PointSummary(
                point,
                pooled,
                runs.stream().filter(run -> repeats.contains(run.repeat())).toList());
    }

    /** Returns whether a run of it is spoiled. */
    public boolean isSpoiled() {
        return runs.stream().anyMatch(run -> !run.spoiledBy().isEmpty());
    }

    /** Returns whether some packets of its metrics were observed, where that was left to the runs. */
    public boolean hasObservedRun() {
        return runs.stream().anyMatch(RunSummary::hasDecidedToObserve);
    }

    /** Returns whether packets of its metrics were not observed by such a decision. */
    public boolean hasUnobservedRun() {
        return !runs.stream().allMatch(RunSummary::hasDecidedToObserve);
    }

    /**
     * One run of a point.
     *
     * @param name the run's name
     * @param repeat the number of its repeat, from 1
     * @param state its state; complete unless others were requested
     * @param metrics its metrics
     * @param lab the emulated network; null for the machines' own
     * @param decision what both sides decided to observe; null if its point did not leave that to them
     */
    public record RunSummary(
            String name,
            int repeat,
            RunRecord.State state,
            Metrics metrics,
            @Nullable LabRecord lab,
            @Nullable DecidedObservation decision) {
        /** Returns whether a packet of the run arrived, and with round trips a reply too. */
        public boolean isDelivered() {
            return metrics.packets().received() > 0 && !lacksReplies();
        }

        /** Returns whether packets arrived and were answered, but no reply arrived. */
        public boolean lacksReplies() {
            PacketLoss back = metrics.lossBack();
            return back != null && back.sent() > 0 && back.lost() == back.sent();
        }

        /** Returns why the machine spoiled it, so that no verdict uses it; none if verdicts use it. */
        public List<RunMark> spoiledBy() {
            return metrics.clock().marks().stream().filter(RunMark::spoils).toList();
        }

        /** Returns whether both sides decided to observe the packets of its metrics. */
        boolean hasDecidedToObserve() {
            return decision != null && decision.isOfAllPackets();
        }
    }
}

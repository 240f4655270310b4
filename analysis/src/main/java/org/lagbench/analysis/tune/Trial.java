package org.lagbench.analysis.tune;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatEstimate.RunValue;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.Objective;
import org.lagbench.core.text.Units;

/**
 * The result of one run of a candidate.
 *
 * @param objective what to optimize: a metric in its unit, or the value of a setting; NaN if there is none, because too
 *     few packets arrived or the setting is unknown
 * @param sent packets sent
 * @param lost packets of which no copy arrived, or without a reply in time if packets are answered
 * @param goodputBitsPerS rate of the packets that arrived, headers of the network excluded, in bit/s; 0 if fewer than
 *     two arrived
 * @param required what the run shows of each metric with a limit
 * @param spoiledBy why the machine spoiled the run, so that it decides nothing; none for a run that decides
 */
public record Trial(
        double objective,
        long sent,
        long lost,
        double goodputBitsPerS,
        Map<Metric<?>, RunValue> required,
        List<RunMark> spoiledBy) {
    public Trial {
        required = Map.copyOf(required);
        spoiledBy = List.copyOf(spoiledBy);
    }

    /** Creates the result of a run that decides, without metrics that have a limit. */
    public Trial(double objective, long sent, long lost, double goodputBitsPerS) {
        this(objective, sent, lost, goodputBitsPerS, Map.of(), List.of());
    }

    /** Returns whether the machine spoiled the run. */
    public boolean isSpoiled() {
        return !spoiledBy.isEmpty();
    }

    /** Returns the packets lost in percent, of the packets sent. */
    RunValue lossOfSent() {
        return new RunValue(1, sent == 0 ? 0 : Units.PERCENT * lost / sent, sent);
    }

    /** Returns what the run shows of a metric with a limit. */
    RunValue required(Metric<?> metric) {
        return Objects.requireNonNull(required.get(metric), metric.id());
    }

    /** Returns whether the run has an objective, and not a negative one, of which no ratios exist. */
    boolean hasObjective() {
        return objective >= 0;
    }

    /**
     * Computes the result of a complete run. The goodput counts one copy of each packet, and is at most the rate at
     * which packets were sent.
     *
     * @param directory the run's directory
     * @param required the metrics with limits
     */
    public static Trial of(Path directory, TuneCandidate candidate, Objective objective, List<Metric<?>> required)
            throws LagbenchException {
        Metric<?> metric = objective.metric();
        Set<MetricGroup<?>> groups = new HashSet<>(Set.of(MetricGroup.SERIES));
        groups.addAll(MetricGroups.needs(Stream.<Metric<?>>concat(Stream.ofNullable(metric), required.stream())
                .toList()));
        Summary summary = Summaries.of(Session.open(directory), new SummaryOptions(true, false, Tail.DEFAULT, groups));
        if (summary.points().isEmpty()) {
            throw ExitCode.FILES.failure(
                    directory + ": " + summary.excluded().get(0).reason());
        }
        PointSummary run = summary.points().get(0);
        Metrics metrics = run.pooled();
        RunPacketCounts packets = metrics.packets();
        // arrivals are closer together than packets were sent if the first ones are late
        double mbitPerS = Math.min(
                run.value(MainMetrics.RECEIVE_RATE),
                metrics.require(MetricGroup.RATES).sent().mbitPerS());
        return new Trial(
                metric == null
                        ? candidate.number(Objects.requireNonNull(objective.knob()))
                        : RunValue.of(1, metrics, run.point(), metric).value(),
                packets.sent(),
                metrics.loss().lost(),
                Double.isNaN(mbitPerS)
                        ? 0
                        : mbitPerS
                                * Units.BITS_PER_MBIT
                                * (packets.sent() - packets.lost())
                                / Math.max(1, packets.received()),
                required.stream()
                        .distinct()
                        .collect(Collectors.toMap(
                                limited -> limited, limited -> RunValue.of(1, metrics, run.point(), limited))),
                run.runs().get(0).spoiledBy());
    }
}

package org.lagbench.analysis.tune;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Tuning.Objective;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * The result of one run of a candidate.
 *
 * @param objectiveNs the metric to minimize, in ns; NaN if the run has none, because too few packets arrived
 * @param sent packets sent
 * @param lost packets of which no copy arrived, or without a reply in time if packets are answered
 * @param goodputBitsPerS rate of the packets that arrived, headers of the network excluded, in bit/s; 0 if fewer than
 *     two arrived
 */
public record Trial(double objectiveNs, long sent, long lost, double goodputBitsPerS) {
    private static final double BITS_PER_MBIT = 1e6;

    /** Returns the share of packets lost, from 0 to 1. */
    public double loss() {
        return sent == 0 ? 0 : (double) lost / (double) sent;
    }

    /** Returns whether the run has a value of the metric to minimize, of which there are ratios. */
    boolean hasObjective() {
        return objectiveNs > 0;
    }

    /**
     * Computes the result of a complete run. The goodput counts one copy of each packet.
     *
     * @param directory the run's directory
     */
    public static Trial of(Path directory, Objective objective) throws LagbenchException {
        Set<MetricGroup<?>> groups = objective == Objective.PLAYOUT
                ? Set.of(MetricGroup.SERIES, MetricGroup.PLAYOUT)
                : Set.of(MetricGroup.SERIES);
        Summary summary = Summaries.of(Session.open(directory), new SummaryOptions(true, false, Tail.DEFAULT, groups));
        if (summary.points().isEmpty()) {
            throw ExitCode.FILES.failure(
                    directory + ": " + summary.excluded().get(0).reason());
        }
        PointSummary run = summary.points().get(0);
        Metrics metrics = run.pooled();
        RunPacketCounts packets = metrics.packets();
        double mbitPerS = run.value(Metric.RECEIVE_RATE);
        return new Trial(
                Units.NS_PER_US * run.value(Metric.of(objective.metric())),
                packets.sent(),
                metrics.loss().lost(),
                Double.isNaN(mbitPerS)
                        ? 0
                        : mbitPerS
                                * BITS_PER_MBIT
                                * (packets.sent() - packets.lost())
                                / Math.max(1, packets.received()));
    }
}

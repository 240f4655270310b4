package org.lagbench.analysis.tune;

import java.nio.file.Path;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.LateTarget;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Objective;
import org.lagbench.core.text.Units;

/**
 * The result of one run of a candidate.
 *
 * @param objectiveNs the figure to minimize, in ns; infinite if nothing arrived
 * @param sent packets sent
 * @param lost packets of which no copy arrived
 * @param goodputBitsPerS rate of the packets that arrived, headers of the network excluded, in bit/s; 0 if fewer than
 *     two arrived
 */
public record Trial(double objectiveNs, long sent, long lost, double goodputBitsPerS) {
    private static final double BITS = 8;

    /** Returns the share of packets lost, from 0 to 1. */
    public double loss() {
        return sent == 0 ? 0 : (double) lost / (double) sent;
    }

    static double[] objectivesNs(List<Trial> trials) {
        return trials.stream().mapToDouble(Trial::objectiveNs).toArray();
    }

    /** Returns the median, estimator R-7; NaN if there is no value. */
    static double median(double[] values) {
        return new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, 50);
    }

    /**
     * Computes the result of a complete run. The goodput is that of the first copies, from the first to the last.
     *
     * @param directory the run's directory
     */
    public static Trial of(Path directory, int packetBytes, Objective objective) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(directory)) {
            double objectiveNs = objectiveNs(run, objective);
            return new Trial(
                    Double.isNaN(objectiveNs) ? Double.POSITIVE_INFINITY : objectiveNs,
                    run.counts().sent(),
                    run.counts().lost(),
                    goodput(run, packetBytes));
        }
    }

    private static double objectiveNs(JoinedRun run, Objective objective) throws LagbenchException {
        LongBlocks lags = Series.TRANSMIT_LAG.pooled(List.of(run));
        return switch (objective) {
            case LAG_MEDIAN -> SeriesStatistics.quantileNs(lags, 50);
            case LAG_Q95 -> SeriesStatistics.quantileNs(lags, 95);
            case LAG_Q99 -> SeriesStatistics.quantileNs(lags, 99);
            case LAG_MEAN -> SeriesStatistics.of(lags).meanNs();
            case PLAYOUT -> {
                Long delayNs = PlayoutBudget.of(List.of(run))
                        .budget(LateTarget.ONE_PERCENT)
                        .delayNs();
                yield delayNs == null ? Double.NaN : (double) delayNs;
            }
        };
    }

    private static double goodput(JoinedRun run, int packetBytes) throws LagbenchException {
        LongSummaryStatistics receivedNs = new LongSummaryStatistics();
        run.forEachFirstCopy((arrival, packet) -> receivedNs.accept(run.receivedNs(arrival)));
        long intervals = receivedNs.getCount() - 1;
        double durationNs = receivedNs.getMax() - receivedNs.getMin();
        return intervals < 1 || durationNs <= 0 ? 0 : intervals * packetBytes * BITS * Units.NS_PER_S / durationNs;
    }
}

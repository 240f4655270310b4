package org.lagbench.analysis.tune;

import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.playout.LateTarget;
import org.lagbench.analysis.playout.PlayoutBudget;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.tune.Objective;

/**
 * What one run of a candidate showed.
 *
 * @param objectiveNs the figure that is minimised, in ns; infinite if nothing came
 * @param sent packets sent
 * @param lost those of which no copy came
 * @param goodputBitsPerS bytes of packets that came, in bit/s; 0 if fewer than two came
 */
public record Trial(double objectiveNs, long sent, long lost, double goodputBitsPerS) {
    private static final double BITS = 8;
    private static final double NS_PER_S = 1e9;

    /** The share of packets lost, from 0 to 1. */
    public double loss() {
        return sent == 0 ? 0 : (double) lost / (double) sent;
    }

    /** The median of a figure over runs, estimator R-7; NaN if there is no run. */
    static double median(List<Trial> trials, ToDoubleFunction<Trial> figure) {
        return new Percentile()
                .withEstimationType(EstimationType.R_7)
                .evaluate(trials.stream().mapToDouble(figure).toArray(), 50);
    }

    /**
     * What a complete run showed. The goodput is that of the first copies from the first to the last that came.
     *
     * @param directory the run's
     * @throws LagbenchException if its captures cannot be read
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
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long copies = 0;
        for (long arrival = 0; arrival < run.received(); arrival++) {
            if (run.isFirstCopy(arrival)) {
                first = Math.min(first, run.receivedNs(arrival));
                last = Math.max(last, run.receivedNs(arrival));
                copies++;
            }
        }
        return copies < 2 || last <= first ? 0 : (copies - 1) * packetBytes * BITS * NS_PER_S / (double) (last - first);
    }
}

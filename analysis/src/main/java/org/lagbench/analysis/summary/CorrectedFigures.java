package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.OffsetLine;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * The transmit lag of one run, or of several together, each less what one estimator takes for the offset of its clocks.
 *
 * @param estimator which
 * @param lag the statistics of the corrected lag
 * @param uncertaintyNs ± how far a corrected lag may be off, in ns, the greatest of the runs; null if unknown of one
 * @param offset the estimate that was taken from it; null if there are several runs
 */
public record CorrectedFigures(
        Estimator estimator, SeriesStatistics lag, @Nullable Long uncertaintyNs, @Nullable OffsetEstimate offset) {

    /** By each estimator; none unless all of the runs were estimated. */
    static List<CorrectedFigures> of(List<OpenRun> runs) throws LagbenchException {
        List<CorrectedFigures> corrected = new ArrayList<>();
        for (Estimator estimator : Estimator.values()) {
            List<OffsetEstimate> estimates = new ArrayList<>();
            for (OpenRun run : runs) {
                OffsetEstimate estimate = run.clock().estimates().get(estimator);
                if (estimate == null) {
                    return List.of();
                }
                estimates.add(estimate);
            }
            corrected.add(new CorrectedFigures(
                    estimator,
                    SeriesStatistics.of(lags(runs, estimates)),
                    greatestUncertaintyNs(estimates),
                    estimates.size() == 1 ? estimates.get(0) : null));
        }
        return List.copyOf(corrected);
    }

    /** Received − sent − offset when sent, of the first copy of each packet that came, in the order of arrival. */
    private static LongValues lags(List<OpenRun> runs, List<OffsetEstimate> estimates) {
        return consumer -> {
            for (int i = 0; i < runs.size(); i++) {
                JoinedRun run = runs.get(i).run();
                OffsetLine offset = estimates.get(i).line();
                for (long arrival = 0; arrival < run.received(); arrival++) {
                    if (run.isFirstCopy(arrival)) {
                        long sentNs = run.sentNs(run.packetOf(arrival));
                        consumer.accept(run.receivedNs(arrival) - sentNs - offset.offsetNs(sentNs));
                    }
                }
            }
        };
    }

    private static @Nullable Long greatestUncertaintyNs(List<OffsetEstimate> estimates) {
        long greatest = 0;
        for (OffsetEstimate estimate : estimates) {
            Long uncertaintyNs = estimate.uncertaintyNs();
            if (uncertaintyNs == null) {
                return null;
            }
            greatest = Math.max(greatest, uncertaintyNs);
        }
        return greatest;
    }
}

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
 * The transmit lag of one run or of several, corrected by one estimate of the clock offset of each.
 *
 * @param estimator the estimator
 * @param lag the statistics of the corrected lag
 * @param uncertaintyNs ± how far a corrected lag may be off, in ns, the greatest of the runs; null if unknown for one
 * @param offset the estimate; null if there are several runs
 */
public record CorrectedLag(
        Estimator estimator, SeriesStatistics lag, @Nullable Long uncertaintyNs, @Nullable OffsetEstimate offset) {

    /** Returns the corrected lag by each estimator that estimated the offset of every run. */
    static List<CorrectedLag> of(List<OpenRun> runs) throws LagbenchException {
        List<CorrectedLag> corrected = new ArrayList<>();
        for (Estimator estimator : Estimator.values()) {
            List<OffsetEstimate> estimates = new ArrayList<>();
            Long uncertaintyNs = 0L;
            for (OpenRun run : runs) {
                OffsetEstimate estimate = run.clock().estimates().get(estimator);
                if (estimate != null) {
                    estimates.add(estimate);
                    Long ofRunNs = estimate.uncertaintyNs();
                    uncertaintyNs = uncertaintyNs == null || ofRunNs == null ? null : Math.max(uncertaintyNs, ofRunNs);
                }
            }
            if (estimates.size() == runs.size()) {
                corrected.add(new CorrectedLag(
                        estimator,
                        SeriesStatistics.of(lags(runs, estimates)),
                        uncertaintyNs,
                        estimates.size() == 1 ? estimates.get(0) : null));
            }
        }
        return List.copyOf(corrected);
    }

    /**
     * Returns the corrected lags, received − sent − offset at the time of receiving, for the first copy of each packet,
     * in the order of arrival. The offset at the time of sending would be wrong by skew times lag.
     */
    private static LongValues lags(List<OpenRun> runs, List<OffsetEstimate> estimates) {
        return consumer -> {
            for (int i = 0; i < runs.size(); i++) {
                JoinedRun run = runs.get(i).run();
                OffsetLine offset = estimates.get(i).line();
                run.forEachFirstCopy((arrival, packet) -> {
                    consumer.accept(offset.senderNs(run.receivedNs(arrival)) - run.sentNs(packet));
                });
            }
        };
    }
}

package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The transmit lag of one run or of several, corrected by one estimate of the clock offset of each.
 *
 * @param estimator the estimator
 * @param lag the statistics of the corrected lag
 * @param uncertaintyNs ± the maximum error of a corrected lag, in ns, the largest of the runs; null if unknown for one
 * @param offsets the estimates in the order of time, one more after each step of a clock; empty if there are several
 *     runs
 */
public record CorrectedLag(
        Estimator estimator, SeriesStatistics lag, @Nullable Long uncertaintyNs, List<OffsetEstimate> offsets) {
    private static final String TITLE = "Corrected lag";
    private static final String FAMILY = "corrected.*.";

    /** The metrics by each estimator. */
    static final List<Metric<List<CorrectedLag>>> METRICS = Stream.of(
                    SeriesMetrics.of("lag.", TITLE, SeriesMetrics.Shown.NOWHERE, Metric::byTwoClocks).stream()
                            .map(metric -> metric.<CorrectedLag>within(lag -> lag.lag)
                                    .inFamily(FAMILY, CorrectedLag::byEstimator)),
                    Stream.of(Metric.<CorrectedLag>time(
                                    "uncertainty", TITLE, "Uncertainty", Combination.MAX, lag -> lag.uncertaintyNs)
                            .inFamily(FAMILY, CorrectedLag::byEstimator)),
                    OffsetEstimate.METRICS.stream()
                            .map(metric -> metric.inFamily(FAMILY + "offsets.*.", CorrectedLag::offsetsById)))
            .flatMap(metrics -> metrics)
            .toList();

    private static Map<String, CorrectedLag> byEstimator(List<CorrectedLag> all) {
        Map<String, CorrectedLag> entries = new LinkedHashMap<>();
        all.forEach(lag -> entries.put(prefix(lag), lag));
        return entries;
    }

    private static Map<String, OffsetEstimate> offsetsById(List<CorrectedLag> all) {
        Map<String, OffsetEstimate> entries = new LinkedHashMap<>();
        all.forEach(lag -> {
            for (OffsetEstimate estimate : lag.offsets) {
                entries.put(prefix(lag) + "offsets." + (lag.offsets.indexOf(estimate) + 1) + ".", estimate);
            }
        });
        return entries;
    }

    private static String prefix(CorrectedLag lag) {
        return "corrected." + lag.estimator.text() + ".";
    }

    /** Returns the corrected lag by each estimator that estimated the offset of every run. */
    static List<CorrectedLag> of(List<OpenRun> runs) throws LagbenchException {
        List<CorrectedLag> corrected = new ArrayList<>();
        for (Estimator estimator : Estimator.values()) {
            List<List<OffsetEstimate>> estimates = runs.stream()
                    .map(run -> run.clock().estimates().getOrDefault(estimator, List.of()))
                    .filter(ofRun -> !ofRun.isEmpty())
                    .toList();
            Long uncertaintyNs = 0L;
            for (OffsetEstimate estimate :
                    estimates.stream().flatMap(List::stream).toList()) {
                Long ofPartNs = estimate.uncertaintyNs();
                uncertaintyNs = uncertaintyNs == null || ofPartNs == null ? null : Math.max(uncertaintyNs, ofPartNs);
            }
            if (estimates.size() == runs.size()) {
                corrected.add(new CorrectedLag(
                        estimator,
                        SeriesStatistics.of(lags(runs, estimates)),
                        uncertaintyNs,
                        estimates.size() == 1 ? estimates.get(0) : List.of()));
            }
        }
        return List.copyOf(corrected);
    }

    /**
     * Returns the corrected lags, received − sent − offset at the time of receiving, for the first copy of each packet,
     * in the order of arrival. The offset at the time of sending would be wrong by skew times lag.
     */
    private static LongValues lags(List<OpenRun> runs, List<List<OffsetEstimate>> estimates) {
        return consumer -> {
            for (int i = 0; i < runs.size(); i++) {
                JoinedRun run = runs.get(i).run();
                for (int part = 0; part < estimates.get(i).size(); part++) {
                    OffsetLine offset = estimates.get(i).get(part).line();
                    runs.get(i).clock().parts().get(part).forEach(run, (arrival, packet) -> {
                        consumer.accept(offset.senderNs(run.receivedNs(arrival)) - run.sentNs(packet));
                    });
                }
            }
        };
    }
}

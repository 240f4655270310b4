package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.analysis.clock.ClockJump;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.TwoWayStamps;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * The clocks of one run, by its record and its stamps.
 *
 * @param estimates of their offset; none unless requested, or without two-way stamps
 */
record RunClock(ClockFigures figures, Map<Estimator, OffsetEstimate> estimates) {
    static RunClock of(RunDirectory directory, RunRecord record, JoinedRun run, boolean corrected)
            throws LagbenchException {
        RunRecord.Clock clock = record.clock();
        List<String> marks = new ArrayList<>(clock == null ? List.of() : clock.marks());
        Long boundNs = clock == null ? null : clock.boundNs();
        Long beyond = boundNs == null ? null : lagsBelow(run, -boundNs);
        if (beyond != null && beyond > 0) {
            marks.add("Packets that came before they were sent by more than the clock bound: " + beyond
                    + ". The clocks do not explain that: the bound does not hold, or stamps are wrong.");
        }
        Map<Estimator, OffsetEstimate> estimates = new EnumMap<>(Estimator.class);
        TwoWayStamps stamps = TwoWayStamps.read(directory.path());
        ClockJump jump = stamps == null ? null : ClockJump.find(stamps);
        if (stamps != null && jump != null) {
            marks.add(jump.sentence(run.sent() == 0 ? stamps.firstNs() : run.sentNs(0)));
        }
        if (stamps != null && corrected) {
            boolean stepped = clock != null && clock.wasStepped();
            for (Estimator estimator : Estimator.values()) {
                OffsetEstimate estimate = estimator.estimate(run, stamps);
                estimates.put(estimator, stepped ? estimate.withoutUncertainty() : estimate);
            }
            if (jump == null
                    && !stepped
                    && estimates.values().stream().anyMatch(estimate -> estimate.uncertaintyNs() == null)) {
                marks.add("No steady rate of the clocks agrees with the stamps of all packets and of the control"
                        + " connection: one of them was set, or its rate changed.");
            }
        }
        String name = directory.name();
        return new RunClock(
                new ClockFigures(
                        boundNs,
                        Set.of(clock == null ? ClockBound.Basis.NOTHING : clock.basis()),
                        clock != null && clock.accepted() ? List.of(name) : List.of(),
                        beyond,
                        marks.stream()
                                .map(sentence -> new ClockMark(name, sentence))
                                .toList()),
                Collections.unmodifiableMap(estimates));
    }

    private static long lagsBelow(JoinedRun run, long limitNs) throws LagbenchException {
        if (run.counts().negativeLags() == 0) {
            return 0;
        }
        long[] below = {0};
        Series.TRANSMIT_LAG.forEach(run, lagNs -> below[0] += lagNs < limitNs ? 1 : 0);
        return below[0];
    }
}

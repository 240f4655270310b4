package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.StampStep;
import org.lagbench.analysis.clock.StepSearch;
import org.lagbench.analysis.clock.TwoWayStamps;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.core.capture.TwoWayCapture;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * The clocks of one run, by its record and its stamps.
 *
 * @param estimates the estimates of the clocks' offset; none unless requested, or if no estimator has its input
 */
record RunClock(ClockEffect effect, Map<Estimator, OffsetEstimate> estimates) {
    static RunClock of(RunDirectory directory, RunRecord record, JoinedRun run, boolean corrected)
            throws LagbenchException {
        RunRecord.Clock clock = record.clock();
        List<String> marks = new ArrayList<>(clock == null ? List.of() : clock.marks());
        TwoWayStamps stamps =
                directory.isIntact(List.of(TwoWayCapture.FILE_NAME)) ? TwoWayStamps.read(directory.path()) : null;
        List<RunStep> steps = stamps == null ? List.of() : steps(directory.name(), clock, StepSearch.find(run, stamps));
        Long boundNs = boundNs(clock, steps);
        Long beyond = boundNs == null ? null : lagsBelow(run, -boundNs);
        if (beyond != null && beyond > 0) {
            marks.add("Packets that arrived before they were sent, by more than the clock bound: " + beyond
                    + ". The clocks do not explain that: the bound does not hold, or stamps are wrong.");
        }
        if (clock != null) {
            noticed(clock.sender(), true, steps).forEach(step -> marks.remove(step.sentence(ClockBound.SENDERS_CLOCK)));
            noticed(clock.receiver(), false, steps)
                    .forEach(step -> marks.remove(step.sentence(ClockBound.RECEIVERS_CLOCK)));
        }
        for (RunStep step : steps) {
            marks.add(step.step().sentence(run.sent() == 0 ? step.step().afterNs() : run.sentNs(0), step.noticedBy()));
        }
        Map<Estimator, OffsetEstimate> estimates = new EnumMap<>(Estimator.class);
        if (corrected) {
            boolean stepped = !steps.isEmpty() || (clock != null && clock.wasStepped());
            for (Estimator estimator : Estimator.values()) {
                OffsetEstimate estimate = estimator.estimate(run, clock, stamps);
                if (estimate != null) {
                    estimates.put(estimator, stepped ? estimate.withoutUncertainty() : estimate);
                }
            }
            if (!stepped && estimates.values().stream().anyMatch(estimate -> estimate.uncertaintyNs() == null)) {
                marks.add("No steady rate of the clocks agrees with the stamps of all packets and of the control"
                        + " connection: one of them was set, or its rate changed.");
            }
        }
        String name = directory.name();
        return new RunClock(
                new ClockEffect(
                        boundNs,
                        Set.of(clock == null ? ClockBound.Basis.NOTHING : clock.basis()),
                        clock != null && clock.accepted() ? List.of(name) : List.of(),
                        beyond,
                        !steps.isEmpty() || (clock != null && clock.wasStepped()) ? List.of(name) : List.of(),
                        steps,
                        marks.stream()
                                .map(sentence -> new ClockMark(name, sentence))
                                .toList()),
                Collections.unmodifiableMap(estimates));
    }

    private static List<RunStep> steps(String name, RunRecord.@Nullable Clock clock, List<StampStep> shown) {
        return shown.stream()
                .map(one -> new RunStep(name, one, clock == null ? null : noticedBy(clock, one)))
                .toList();
    }

    private static @Nullable String noticedBy(RunRecord.Clock clock, StampStep one) {
        return clock.sender().steps().stream().anyMatch(step -> one.is(step, true))
                ? "sender"
                : clock.receiver().steps().stream().anyMatch(step -> one.is(step, false)) ? "receiver" : null;
    }

    /** Returns the steps that a host noticed and the stamps show. */
    private static List<ClockStep> noticed(ClockHistory history, boolean bySender, List<RunStep> steps) {
        return history.steps().stream()
                .filter(noticed -> steps.stream().anyMatch(step -> step.step().is(noticed, bySender)))
                .toList();
    }

    /** Returns the recorded bound, which includes the noticed steps, plus the steps that no host noticed. */
    private static @Nullable Long boundNs(RunRecord.@Nullable Clock clock, List<RunStep> steps) {
        Long recordedNs = clock == null ? null : clock.boundNs();
        if (recordedNs == null) {
            return null;
        }
        return recordedNs
                + steps.stream()
                        .filter(step -> step.noticedBy() == null)
                        .mapToLong(step -> step.step().largestNs())
                        .sum();
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

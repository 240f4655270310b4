package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.StampStep;
import org.lagbench.analysis.clock.StampStep.NoticedStep;
import org.lagbench.analysis.clock.SteadyPart;
import org.lagbench.analysis.clock.StepSearch;
import org.lagbench.analysis.clock.TwoWayStamps;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.ClockEffect.RunStep;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * The clocks of one run, by its record and its stamps.
 *
 * @param parts the parts of the run whose lags can be corrected; none unless requested
 * @param estimates the estimates of the clocks' offset in each part; none unless requested, or if no estimator has its
 *     input
 */
record RunClock(ClockEffect effect, List<SteadyPart> parts, Map<Estimator, List<OffsetEstimate>> estimates) {
    static RunClock of(RunDirectory directory, RunRecord record, JoinedRun run, boolean corrected)
            throws LagbenchException {
        RunRecord.Clock clock = record.clock();
        List<String> marks = new ArrayList<>(clock == null ? List.of() : clock.marks());
        TwoWayStamps stamps =
                directory.isIntact(List.of(TwoWayExchange.FILE_NAME)) ? TwoWayStamps.read(directory.path()) : null;
        List<NoticedStep> noticed = clock == null || stamps == null ? List.of() : NoticedStep.of(clock, stamps);
        List<StampStep> shown = stamps == null ? List.of() : StepSearch.find(run, stamps, noticed);
        List<RunStep> steps = shown.stream()
                .map(step -> new RunStep(directory.name(), step, noticedBy(noticed, step)))
                .toList();
        Long boundNs = boundNs(clock, steps);
        Long beyond = boundNs == null ? null : lagsBelow(run, -boundNs);
        if (beyond != null && beyond > 0) {
            marks.add("Packets that arrived before they were sent, by more than the clock bound: " + beyond
                    + ". The clocks do not explain that: the bound does not hold, or stamps are wrong.");
        }
        List<NoticedStep> unlocated = noticed.stream()
                .filter(one -> shown.stream().noneMatch(step -> step.is(one)))
                .toList();
        noticed.stream()
                .filter(one -> !unlocated.contains(one))
                .forEach(one -> marks.remove(
                        one.step().sentence(one.bySender() ? ClockBound.SENDERS_CLOCK : ClockBound.RECEIVERS_CLOCK)));
        for (RunStep step : steps) {
            marks.add(step.step().sentence(run.sent() == 0 ? step.step().afterNs() : run.sentNs(0), step.noticedBy()));
        }
        List<SteadyPart> parts = new ArrayList<>();
        Map<Estimator, List<OffsetEstimate>> estimates = new EnumMap<>(Estimator.class);
        boolean isStepped = !steps.isEmpty() || (clock != null && clock.wasStepped());
        if (corrected) {
            boolean isSplit =
                    stamps != null && unlocated.isEmpty() && shown.stream().noneMatch(step -> step.sizeNs() == null);
            parts = isSplit && stamps != null
                    ? SteadyPart.of(run, stamps, shown)
                    : List.of(SteadyPart.whole(run, stamps));
            for (Estimator estimator : Estimator.values()) {
                List<OffsetEstimate> ofParts = estimator.estimate(run, clock, parts, isStepped);
                if (!ofParts.isEmpty()) {
                    estimates.put(
                            estimator,
                            isStepped && !isSplit
                                    ? ofParts.stream()
                                            .map(OffsetEstimate::withoutUncertainty)
                                            .toList()
                                    : ofParts);
                }
            }
            if ((isSplit || !isStepped)
                    && estimates.values().stream().flatMap(List::stream).anyMatch(one -> one.uncertaintyNs() == null)) {
                marks.add("No steady rate of the clocks agrees with the stamps of all packets and of the control"
                        + " connection: one of them was set, or its rate changed.");
            }
            long uncorrected = isStepped && isSplit ? countUncorrected(run, parts) : 0;
            if (uncorrected > 0) {
                marks.add("Packets without a corrected lag: " + uncorrected + ". A clock may have been set while they"
                        + " were under way, or no two-way exchange was made between two steps.");
            }
        }
        String name = directory.name();
        return new RunClock(
                new ClockEffect(
                        boundNs,
                        Set.of(clock == null ? ClockBound.Basis.NOTHING : clock.basis()),
                        clock != null && clock.accepted() ? List.of(name) : List.of(),
                        beyond,
                        isStepped ? List.of(name) : List.of(),
                        steps,
                        Stream.concat(
                                        marks.stream().map(sentence -> new RunMark(name, sentence)),
                                        Disturbances.marks(record, run).stream())
                                .toList()),
                List.copyOf(parts),
                Collections.unmodifiableMap(estimates));
    }

    private static long countUncorrected(JoinedRun run, List<SteadyPart> parts) throws LagbenchException {
        long[] left = {run.counts().sent() - run.counts().lost()};
        for (SteadyPart part : parts) {
            part.forEach(run, (arrival, packet) -> left[0]--);
        }
        return left[0];
    }

    private static @Nullable String noticedBy(List<NoticedStep> noticed, StampStep step) {
        return noticed.stream()
                .filter(step::is)
                .map(one -> one.bySender() ? "sender" : "receiver")
                .findFirst()
                .orElse(null);
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
        PacketDelay.TRANSMIT_LAG.forEach(run, lagNs -> below[0] += lagNs < limitNs ? 1 : 0);
        return below[0];
    }
}

package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.ObservationPrice;
import org.lagbench.analysis.cause.ObservedRun;
import org.lagbench.analysis.cause.PacketDrops;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesComputation;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.BusFacts;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.CauseFacts;
import org.lagbench.core.run.QueueDropFacts;
import org.lagbench.core.run.ReceiverFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.Traffic;

/** The runs of a point whose metrics are computed, one or several pooled, and what several groups of metrics share. */
final class PooledRuns {
    private final MeasuredPoint point;
    private final List<OpenRun> open;
    private final List<Metrics> ofEach;
    private final SummaryOptions options;
    private final Metrics soFar;
    private final long[] firstLagsNs;
    private final SeriesComputation lag;

    /**
     * @param ofEach the metrics of each run if there are several
     * @param soFar the metrics of the groups that were computed before
     */
    PooledRuns(MeasuredPoint point, List<OpenRun> open, List<Metrics> ofEach, SummaryOptions options, Metrics soFar)
            throws LagbenchException {
        this.point = point;
        this.open = open;
        this.ofEach = ofEach;
        this.options = options;
        this.soFar = soFar;
        this.firstLagsNs = WarmUp.firstLagsNs(joined());
        this.lag = new SeriesComputation(PacketDelay.TRANSMIT_LAG.pooled(joined()), WarmUp.PERCENT, firstLagsNs);
    }

    MeasuredPoint point() {
        return point;
    }

    List<OpenRun> open() {
        return open;
    }

    List<JoinedRun> joined() {
        return open.stream().map(OpenRun::run).toList();
    }

    RunPacketCounts packets() {
        return joined().stream().map(JoinedRun::counts).reduce(RunPacketCounts.NONE, RunPacketCounts::plus);
    }

    ClockEffect clock() {
        ClockEffect effect = open.stream()
                .map(run -> run.clock().effect())
                .reduce(ClockEffect::plus)
                .orElseThrow();
        return effect.with(RunDecisions.marks(open.stream().map(OpenRun::record).toList()));
    }

    /** Computes the lag together with the other series, if requested, that the runs have. */
    Map<PacketDelay, SeriesStatistics> series() throws LagbenchException {
        boolean hasAll = options.includes(MetricGroup.SERIES);
        Map<PacketDelay, SeriesComputation> computations = new LinkedHashMap<>();
        for (PacketDelay series : PacketDelay.values()) {
            if (series == PacketDelay.TRANSMIT_LAG) {
                computations.put(series, lag);
            } else if (hasAll && (point.hasSchedule() || !series.needsSchedule())) {
                computations.put(series, new SeriesComputation(series.pooled(joined())));
            }
        }
        SeriesComputation.computeAll(List.copyOf(computations.values()));
        Map<PacketDelay, SeriesStatistics> statistics = new LinkedHashMap<>();
        computations.forEach((series, computation) -> statistics.put(series, computation.statistics()));
        return Collections.unmodifiableMap(statistics);
    }

    /** Returns whether the runs were warm, from the computed lags. */
    WarmUp warmUp() {
        return WarmUp.of(firstLagsNs, lag);
    }

    @Nullable
    TransferMetrics transfers() throws LagbenchException {
        Map<Path, RunRecord> intact = new LinkedHashMap<>();
        open.stream()
                .filter(run -> run.directory().isIntact(TransferMetrics.FILES))
                .forEach(run -> intact.put(run.directory().path(), run.record()));
        return point.transfer() == null ? null : TransferMetrics.of(intact);
    }

    @Nullable
    LedgerMetrics ledger() throws LagbenchException {
        OpenRun run = open.get(0);
        if (open.size() > 1) {
            return sumOfEach(MetricGroup.LEDGER, LedgerMetrics::plus);
        } else if (!hasIntactEvents(run)) {
            return null;
        }
        try (JoinedRun windows = windows(run)) {
            JoinedRun observed = windows == null ? run.run() : windows;
            return LedgerMetrics.of(
                    observed,
                    run.run(),
                    statistics(observed),
                    soFar.get(MetricGroup.KERNEL_DROPS),
                    Objects.requireNonNullElse(soFar.get(MetricGroup.DAMAGED), 0L),
                    waitsLost(),
                    options.tail());
        }
    }

    private long waitsLost() {
        return Stream.of(senders(), receivers())
                .flatMap(sides -> metadata(sides, CauseFacts.class).stream())
                .mapToLong(side -> side.waitsLost() == null ? 0 : side.waitsLost())
                .sum();
    }

    /** Opens the observed packets of a run; null if it has no windows. */
    private static @Nullable JoinedRun windows(OpenRun run) throws LagbenchException {
        return run.record().hasWindows() ? ObservedRun.open(run.directory().path(), run.record()) : null;
    }

    /** Returns the statistics of the series that were requested, of the packets that were observed. */
    private Map<PacketDelay, SeriesStatistics> statistics(JoinedRun observed) throws LagbenchException {
        if (!observed.isRestricted()) {
            return soFar.series();
        }
        Map<PacketDelay, SeriesStatistics> statistics = new LinkedHashMap<>();
        for (PacketDelay series : List.of(PacketDelay.TRANSMIT_LAG, PacketDelay.LAG_FROM_SCHEDULE)) {
            if (soFar.series().containsKey(series)) {
                statistics.put(series, SeriesStatistics.of(series.pooled(List.of(observed))));
            }
        }
        return statistics;
    }

    @Nullable
    ObservationPrice price() throws LagbenchException {
        Map<Path, RunRecord> observed = new LinkedHashMap<>();
        open.stream()
                .filter(run -> run.record().hasWindows() && hasIntactEvents(run))
                .forEach(run -> observed.put(run.directory().path(), run.record()));
        return observed.isEmpty() ? null : ObservationPrice.of(observed);
    }

    /** Returns the sum of metrics of the runs whose events are not damaged; null if one does not have the metrics. */
    private <T> @Nullable T sumOfEach(MetricGroup<@Nullable T> group, BinaryOperator<T> sum) {
        List<T> recorded = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
            T metrics = ofEach.get(i).get(group);
            if (metrics != null) {
                recorded.add(metrics);
            } else if (hasIntactEvents(open.get(i))) {
                return null;
            }
        }
        return recorded.stream().reduce(sum).orElse(null);
    }

    /** Returns the number of lost packets by the recorded reason of their drop. */
    Map<String, Long> recordedDrops() throws LagbenchException {
        Map<String, Long> reasons = new TreeMap<>();
        for (OpenRun run : open) {
            RunDirectory directory = run.directory();
            if (run.run().counts().lost() > 0 && directory.isIntact(List.of(DropsCapture.FILE_NAME))) {
                PacketDrops drops = PacketDrops.read(directory.path(), run.record());
                if (drops != null) {
                    drops.reasons(run.run()).forEach((reason, packets) -> reasons.merge(reason, packets, Long::sum));
                }
            }
        }
        return reasons;
    }

    private static boolean hasIntactEvents(OpenRun run) {
        return run.directory().isIntact(RunCauses.FILES);
    }

    @Nullable
    BufferMetrics occupancy() throws LagbenchException {
        Map<Path, JoinedRun> runs = new LinkedHashMap<>();
        for (OpenRun run : open) {
            if (run.directory().isIntact(BufferMetrics.FILES)) {
                runs.put(run.directory().path(), run.run());
            }
        }
        return BufferMetrics.of(runs);
    }

    /** Returns the sum of a count over the runs; null if a run did not record it, or recorded a negative one. */
    @Nullable
    Long sum(ToLongFunction<RunRecord.Counts> count) {
        List<Long> counts = open.stream()
                .map(run -> run.record().counts())
                .filter(Objects::nonNull)
                .map(count::applyAsLong)
                .filter(value -> value >= 0)
                .toList();
        return counts.size() < open.size() ? null : (Long) total(counts);
    }

    @Nullable
    Long damaged() {
        return receivers().size() < open.size()
                ? null
                : (Long) total(metadata(receivers(), ReceiverFacts.class).stream()
                        .map(ReceiverFacts::damagedPackets)
                        .filter(Objects::nonNull)
                        .toList());
    }

    LossPlaces lossPlaces() {
        return open.size() == 1
                ? LossPlaces.of(this, soFar)
                : LossPlaces.sum(ofEach.stream()
                        .map(metrics -> metrics.require(MetricGroup.LOSS_PLACES))
                        .toList());
    }

    @Nullable
    Long overwritten() {
        List<Long> counts = metadata(receivers(), BusFacts.class).stream()
                .map(BusFacts::packetsOverwritten)
                .filter(Objects::nonNull)
                .toList();
        return counts.isEmpty() ? null : (Long) total(counts);
    }

    long packetsPerCall() {
        return Stream.of(senders(), receivers())
                .flatMap(sides -> metadata(sides, CallFacts.class).stream())
                .mapToLong(calls -> calls.packetsPerCall() == null ? 1 : calls.packetsPerCall())
                .reduce(1, Math::max);
    }

    /** Returns a count of what senders' hosts dropped without an error; the number of lost packets if it is smaller. */
    long hostDrops(ToLongFunction<QueueDropFacts> count) {
        long drops = metadata(senders(), QueueDropFacts.class).stream()
                .mapToLong(count)
                .sum();
        return Math.min(soFar.packets().lost(), drops);
    }

    /** Returns the metadata that the sender of each run recorded. */
    List<Map<String, Object>> senders() {
        return metadata(run -> run.sender());
    }

    /** Returns the metadata that the receivers recorded, of the runs that have a receiver's. */
    List<Map<String, Object>> receivers() {
        return metadata(run -> run.receiver());
    }

    private List<Map<String, Object>> metadata(Function<RunRecord, RunRecord.@Nullable Side> side) {
        return open.stream()
                .map(OpenRun::record)
                .map(side)
                .filter(Objects::nonNull)
                .map(RunRecord.Side::metadata)
                .toList();
    }

    /** Returns the records of sides, without sides that did not record this. */
    static <T extends Record & SideFacts> List<T> metadata(List<Map<String, Object>> sides, Class<T> type) {
        return sides.stream()
                .map(side -> SideFacts.read(side, type))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the numbers that sides recorded by a name. */
    static List<Number> numbers(List<Map<String, Object>> sides, String name) {
        return sides.stream()
                .map(side -> side.get(name))
                .filter(Number.class::isInstance)
                .map(Number.class::cast)
                .toList();
    }

    /** Returns the sum of what the sides of all runs recorded by a name; null if one did not. */
    @Nullable
    Long total(List<Map<String, Object>> sides, String name) {
        List<Number> counts = numbers(sides, name);
        return counts.size() < open.size() ? null : (Long) total(counts);
    }

    static long total(Collection<? extends Number> counts) {
        return counts.stream().mapToLong(Number::longValue).sum();
    }

    /**
     * A run with open captures.
     *
     * @param directory its directory
     * @param record its record
     * @param run its captures
     * @param replies its packets with their replies; null if packets are not answered
     * @param clock its clocks
     */
    record OpenRun(RunDirectory directory, RunRecord record, JoinedRun run, @Nullable JoinedRun replies, RunClock clock)
            implements AutoCloseable {
        /**
         * Opens the captures in a run's directory.
         *
         * @throws LagbenchException with the path, if one is missing, unreadable or corrupt
         */
        static OpenRun open(RunDirectory directory, RunRecord record, boolean corrected) throws LagbenchException {
            Path path = directory.path();
            List<JoinedRun> opened = new ArrayList<>();
            try {
                JoinedRun run = JoinedRun.open(path, record);
                opened.add(run);
                JoinedRun replies = null;
                if (record.point().traffic().kind().text().equals(Traffic.ROUND_TRIP.text())) {
                    replies = JoinedRun.openReplies(path, record);
                    opened.add(replies);
                }
                RunClock clock = RunClock.of(directory, record, run, corrected);
                return new OpenRun(directory, record, run, replies, clock);
            } catch (LagbenchException | RuntimeException e) {
                try {
                    JoinedRun.closeAll(opened);
                } catch (LagbenchException ofClosing) {
                    e.addSuppressed(ofClosing);
                }
                throw e;
            }
        }

        Stream<JoinedRun> captures() {
            return replies == null ? Stream.of(run) : Stream.of(run, replies);
        }

        @Override
        public void close() throws LagbenchException {
            JoinedRun.closeAll(captures().toList());
        }
    }
}

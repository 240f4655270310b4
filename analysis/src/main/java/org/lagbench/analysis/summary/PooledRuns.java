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
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketDrops;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesComputation;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.BusFacts;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.QueueDropFacts;
import org.lagbench.core.run.ReceiverFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.Traffic;

/** The runs of a point whose metrics are computed, one or several pooled, and what several groups of metrics share. */
public final class PooledRuns {
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

    public MeasuredPoint point() {
        return point;
    }

    public List<OpenRun> open() {
        return open;
    }

    public List<JoinedRun> joined() {
        return open.stream().map(OpenRun::run).toList();
    }

    /** Returns the metrics of each run if there are several. */
    public List<Metrics> ofEach() {
        return ofEach;
    }

    /** Returns the metrics of the groups of lower positions. */
    public Metrics soFar() {
        return soFar;
    }

    /** Returns the tail that was requested. */
    public Tail tail() {
        return options.tail();
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
    public List<Map<String, Object>> senders() {
        return metadata(run -> run.sender());
    }

    /** Returns the metadata that the receivers recorded, of the runs that have a receiver's. */
    public List<Map<String, Object>> receivers() {
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
    public static <T extends Record & SideFacts> List<T> metadata(List<Map<String, Object>> sides, Class<T> type) {
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
    public record OpenRun(
            RunDirectory directory, RunRecord record, JoinedRun run, @Nullable JoinedRun replies, RunClock clock)
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

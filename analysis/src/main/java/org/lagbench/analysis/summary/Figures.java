package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.CauseFigures;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.media.MediaFigures;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.stage.BufferFigures;
import org.lagbench.analysis.stage.StageFigures;
import org.lagbench.analysis.stage.StagedRun;
import org.lagbench.analysis.statistics.SeriesComputation;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.transfer.TransferFigures;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * The figures of one run, or of several runs of one point pooled. Pooled values form one series; no value spans the end
 * of a run.
 *
 * @param runs number of runs
 * @param packets packet counts
 * @param foreign received packets that were not of the run; null if the receiver did not report them
 * @param kernelDrops packets that the receiving host dropped because a buffer was full; null if it did not report them
 * @param overwritten packets that were overwritten in a bus controller's receive ring before they were read; null for
 *     other transports
 * @param retransmissions what TCP sent again; null for other transports and if a run did not record it
 * @param buffers the socket buffers that the kernels granted
 * @param packetsPerCall the greatest number of packets per system call, which share their stamps; 1 if not recorded
 * @param clock the effect of the clocks on lags
 * @param series the statistics of each requested series that the runs have, in the order of {@link Series}
 * @param corrected the transmit lag corrected by each estimator; none unless requested and estimated for every run
 * @param warmUp whether the runs were warm
 * @param media the multimedia metrics; null unless requested
 * @param playout the playout budget; null unless requested
 * @param causes the causes of the tails of the lag, of the runs whose events are not damaged; null unless requested and
 *     recorded in every run
 * @param stages the stages of the lag, of the runs whose stamps of stages are not damaged; null unless requested and
 *     recorded in every run
 * @param roundTrips the figures of the answers; null if packets are not answered
 * @param transfers the throughput of transfers, of the runs whose files of transfers are not damaged; null unless
 *     requested and the traffic is transfers
 * @param allocation how many bytes the JVMs allocate per packet; null if the engine does not measure it
 */
public record Figures(
        int runs,
        RunPacketCounts packets,
        @Nullable Long foreign,
        @Nullable Long kernelDrops,
        @Nullable Long overwritten,
        @Nullable RetransmissionFigures retransmissions,
        Map<BufferGrant.BufferSide, BufferGrant> buffers,
        long packetsPerCall,
        ClockFigures clock,
        Map<Series, SeriesStatistics> series,
        List<CorrectedFigures> corrected,
        WarmUpFigures warmUp,
        @Nullable MediaFigures media,
        @Nullable PlayoutBudget playout,
        @Nullable CauseFigures causes,
        @Nullable StageFigures stages,
        @Nullable RoundTripFigures roundTrips,
        @Nullable TransferFigures transfers,
        @Nullable AllocationFigures allocation) {

    /**
     * Computes the figures of one run or several.
     *
     * @param ofEach the figures of each run if there are several; unused if there is one
     */
    static Figures of(PointKey point, List<OpenRun> open, List<Figures> ofEach, SummaryOptions options)
            throws LagbenchException {
        List<JoinedRun> runs = open.stream().map(OpenRun::run).toList();
        List<RunRecord> records = open.stream().map(OpenRun::record).toList();
        long[] firstLagsNs = WarmUpFigures.firstLagsNs(runs);
        SeriesComputation lag =
                new SeriesComputation(Series.TRANSMIT_LAG.pooled(runs), WarmUpFigures.PERCENT, firstLagsNs);
        boolean companions =
                options.includes(Detail.COMPANIONS) || records.stream().anyMatch(Figures::hasLinkCapacity);
        Map<Series, SeriesStatistics> statistics = statistics(point, runs, lag, companions);
        Long kernelDrops = sum(records, RunRecord.Counts::kernelDrops);
        return new Figures(
                runs.size(),
                runs.stream().map(JoinedRun::counts).reduce(RunPacketCounts.NONE, RunPacketCounts::plus),
                sum(records, RunRecord.Counts::foreign),
                kernelDrops,
                overwritten(records),
                RetransmissionFigures.of(records),
                BufferGrant.of(records),
                packetsPerCall(records),
                open.stream()
                        .map(run -> run.clock().figures())
                        .reduce(ClockFigures::plus)
                        .orElseThrow(),
                statistics,
                CorrectedFigures.of(open),
                WarmUpFigures.of(firstLagsNs, lag),
                options.includes(Detail.MEDIA)
                        ? MediaFigures.of(runs, point.paceIntervalNs(), point.paceBurst())
                        : null,
                options.includes(Detail.PLAYOUT) ? PlayoutBudget.of(runs) : null,
                options.includes(Detail.CAUSES) ? causes(open, ofEach, statistics, kernelDrops, options.tail()) : null,
                options.includes(Detail.STAGES) ? stages(open) : null,
                RoundTripFigures.of(point, open),
                options.includes(Detail.TRANSFERS) && point.transfer() != null ? transfers(open) : null,
                AllocationFigures.of(records));
    }

    private static @Nullable TransferFigures transfers(List<OpenRun> open) throws LagbenchException {
        Map<Path, RunRecord> runs = new LinkedHashMap<>();
        for (OpenRun run : open) {
            if (run.directory().isIntact(TransferFigures.FILES)) {
                runs.put(run.directory().path(), run.record());
            }
        }
        return TransferFigures.of(runs);
    }

    /** Returns whether the run's link has a known capacity. Every table then shows its rates as a share of it. */
    private static boolean hasLinkCapacity(RunRecord record) {
        return record.lab() != null && record.lab().capacityPacketsPerS() != null;
    }

    /** Computes the lag together with the other series, if requested, that the runs have. */
    private static Map<Series, SeriesStatistics> statistics(
            PointKey point, List<JoinedRun> runs, SeriesComputation lag, boolean companions) throws LagbenchException {
        Map<Series, SeriesComputation> computations = new LinkedHashMap<>();
        for (Series series : Series.values()) {
            if (series == Series.TRANSMIT_LAG) {
                computations.put(series, lag);
            } else if (companions && (point.hasSchedule() || !series.needsSchedule())) {
                computations.put(series, new SeriesComputation(series.pooled(runs)));
            }
        }
        SeriesComputation.computeAll(List.copyOf(computations.values()));
        Map<Series, SeriesStatistics> statistics = new LinkedHashMap<>();
        computations.forEach((series, computation) -> statistics.put(series, computation.statistics()));
        return Collections.unmodifiableMap(statistics);
    }

    /** Returns the multimedia metrics, which must have been requested. */
    @Override
    public MediaFigures media() {
        return Objects.requireNonNull(media, "not requested");
    }

    /** Returns the playout budget, which must have been requested. */
    @Override
    public PlayoutBudget playout() {
        return Objects.requireNonNull(playout, "not requested");
    }

    private static @Nullable CauseFigures causes(
            List<OpenRun> open,
            List<Figures> ofEach,
            Map<Series, SeriesStatistics> statistics,
            @Nullable Long kernelDrops,
            Tail tail)
            throws LagbenchException {
        if (open.size() == 1) {
            OpenRun run = open.get(0);
            return hasIntactEvents(run)
                    ? CauseFigures.of(run.directory().path(), run.run(), statistics, kernelDrops, tail)
                    : null;
        }
        List<CauseFigures> recorded = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
            CauseFigures causes = ofEach.get(i).causes;
            if (causes != null) {
                recorded.add(causes);
            } else if (hasIntactEvents(open.get(i))) {
                return null;
            }
        }
        return recorded.stream().reduce(CauseFigures::plus).orElse(null);
    }

    private static boolean hasIntactEvents(OpenRun run) {
        return run.directory().isIntact(RunCauses.FILES);
    }

    private static @Nullable StageFigures stages(List<OpenRun> open) throws LagbenchException {
        List<StagedRun> staged = new ArrayList<>();
        Map<Path, JoinedRun> runs = new LinkedHashMap<>();
        for (OpenRun run : open) {
            if (run.stages() != null) {
                staged.add(run.stages());
            } else if (run.directory().isIntact(StagedRun.FILES)) {
                return null;
            }
            if (run.directory().isIntact(BufferFigures.FILES)) {
                runs.put(run.directory().path(), run.run());
            }
        }
        return staged.isEmpty() ? null : StageFigures.of(staged, BufferFigures.of(runs));
    }

    /** Returns the sum of a count over the runs; null if a run did not record it, or recorded a negative one. */
    private static @Nullable Long sum(List<RunRecord> records, ToLongFunction<RunRecord.Counts> count) {
        long sum = 0;
        for (RunRecord record : records) {
            RunRecord.Counts counts = record.counts();
            if (counts == null || count.applyAsLong(counts) < 0) {
                return null;
            }
            sum += count.applyAsLong(counts);
        }
        return sum;
    }

    private static @Nullable Long overwritten(List<RunRecord> records) {
        List<Long> counts = records.stream()
                .map(RunRecord::receiver)
                .filter(Objects::nonNull)
                .map(receiver -> receiver.metadata().get("packetsOverwritten"))
                .filter(Number.class::isInstance)
                .map(count -> ((Number) count).longValue())
                .toList();
        return counts.isEmpty()
                ? null
                : (Long) counts.stream().mapToLong(Long::longValue).sum();
    }

    private static long packetsPerCall(List<RunRecord> records) {
        return records.stream()
                .flatMap(record -> Stream.of(record.sender(), record.receiver()))
                .filter(Objects::nonNull)
                .map(side -> side.metadata().get("packetsPerCall"))
                .mapToLong(count -> count instanceof Number number ? number.longValue() : 1)
                .max()
                .orElse(1);
    }
}

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
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.media.MediaFigures;
import org.lagbench.analysis.playout.PlayoutBudget;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.stage.BufferFigures;
import org.lagbench.analysis.stage.StageFigures;
import org.lagbench.analysis.stage.StagedRun;
import org.lagbench.analysis.statistics.SeriesComputation;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * What was found of one run, or of several runs of one point pooled: their values taken together as one series, never
 * across the end of a run.
 *
 * @param runs of how many runs
 * @param packets what became of the packets
 * @param foreign packets that came but were not of the run; null if the receiver did not tell
 * @param kernelDrops packets that the receiving host dropped for want of buffer; null if it did not tell
 * @param buffers what the kernels granted of the sockets' buffers
 * @param packetsPerCall how many packets a system call moved at most, with the same stamps; 1 if the runs do not say
 * @param clock how far the clocks let lags be trusted
 * @param series the statistics of each series that the runs have and that was asked for, in the order of
 *     {@link Series#IN_ORDER}
 * @param corrected the transmit lag less the offset of the clocks, by each estimator; none unless asked for, nor where
 *     the clocks of a run could not be estimated
 * @param warmUp whether they were warm
 * @param media the multimedia metrics; null unless asked for
 * @param playout how long a receiver must hold packets back; null unless asked for
 * @param causes what made the tails of the lag, each value judged within its run; null unless asked for and recorded in
 *     every run
 * @param stages where the packets' time went; null unless asked for and observed in every run
 */
public record Figures(
        int runs,
        RunPacketCounts packets,
        @Nullable Long foreign,
        @Nullable Long kernelDrops,
        Map<BufferGrant.BufferSide, BufferGrant> buffers,
        long packetsPerCall,
        ClockFigures clock,
        Map<Series, SeriesStatistics> series,
        List<CorrectedFigures> corrected,
        WarmUpFigures warmUp,
        @Nullable MediaFigures media,
        @Nullable PlayoutBudget playout,
        @Nullable CauseFigures causes,
        @Nullable StageFigures stages) {

    /**
     * Of one run or several.
     *
     * @param ofEach the figures of each if there are several; unused if there is one
     */
    static Figures of(PointKey point, List<OpenRun> open, List<Figures> ofEach, SummaryOptions options)
            throws LagbenchException {
        List<JoinedRun> runs = open.stream().map(OpenRun::run).toList();
        List<RunRecord> records = open.stream().map(OpenRun::record).toList();
        RunPacketCounts packets =
                runs.stream().map(JoinedRun::counts).reduce(RunPacketCounts.NONE, RunPacketCounts::plus);
        long[] firstLagsNs = WarmUpFigures.firstLagsNs(runs);
        SeriesComputation lag =
                new SeriesComputation(Series.TRANSMIT_LAG.pooled(runs), WarmUpFigures.PERCENT, firstLagsNs);
        boolean companions =
                options.asksFor(Detail.COMPANIONS) || records.stream().anyMatch(Figures::isOverALink);
        Map<Series, SeriesStatistics> statistics = statistics(point, runs, lag, companions);
        Long kernelDrops = sum(records, RunRecord.Counts::kernelDrops);
        return new Figures(
                runs.size(),
                packets,
                sum(records, RunRecord.Counts::foreign),
                kernelDrops,
                BufferGrant.of(records),
                packetsPerCall(records),
                ClockFigures.of(open),
                statistics,
                CorrectedFigures.of(open),
                WarmUpFigures.of(firstLagsNs, lag),
                options.asksFor(Detail.MEDIA) ? MediaFigures.of(runs, point.paceIntervalNs(), point.paceBurst()) : null,
                options.asksFor(Detail.PLAYOUT) ? PlayoutBudget.of(runs) : null,
                options.asksFor(Detail.CAUSES) ? causes(open, ofEach, statistics, kernelDrops, options.tail()) : null,
                options.asksFor(Detail.STAGES) ? stages(open) : null);
    }

    /** Rates tell what share of a link came, in every table of its runs. */
    private static boolean isOverALink(RunRecord record) {
        return record.lab() != null && record.lab().capacityPacketsPerS() != null;
    }

    /** Of the lag, and of the other series that the runs have if they are wanted, all computed together. */
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

    /** The multimedia metrics, where they were asked for. */
    @Override
    public MediaFigures media() {
        return Objects.requireNonNull(media, "not asked for");
    }

    /** How long a receiver must hold packets back, where that was asked for. */
    @Override
    public PlayoutBudget playout() {
        return Objects.requireNonNull(playout, "not asked for");
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
            return CauseFigures.of(
                    run.directory(),
                    run.run(),
                    Objects.requireNonNull(statistics.get(Series.TRANSMIT_LAG)),
                    statistics.get(Series.LAG_FROM_SCHEDULE),
                    kernelDrops,
                    tail);
        }
        CauseFigures sum = ofEach.get(0).causes;
        for (Figures run : ofEach.subList(1, ofEach.size())) {
            sum = sum == null || run.causes == null ? null : sum.plus(run.causes);
        }
        return sum;
    }

    private static @Nullable StageFigures stages(List<OpenRun> open) throws LagbenchException {
        List<StagedRun> staged = new ArrayList<>();
        Map<Path, JoinedRun> runs = new LinkedHashMap<>();
        for (OpenRun run : open) {
            if (run.stages() == null) {
                return null;
            }
            staged.add(run.stages());
            runs.put(run.directory(), run.run());
        }
        return StageFigures.of(staged, BufferFigures.of(runs));
    }

    /** The sum of a count over the runs; null if one of them did not tell it, or told a negative one. */
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

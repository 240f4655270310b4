package org.lagbench.analysis.cause;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * Where the lags of one run or of several went, each lag divided within its run.
 *
 * @param tail which packets are slow, by the lag of their run
 * @param lag the ledgers of the transmit lag
 * @param lagFromSchedule those of the lag from the scheduled time; null without a schedule
 * @param losses the lost packets
 * @param waitsLost switches and wake-ups of the packet threads that the scheduler's records do not have
 * @param stamps how many arrivals have a stamp of the receiving kernel
 */
public record LedgerMetrics(
        Tail tail,
        LagLedgers lag,
        @Nullable LagLedgers lagFromSchedule,
        LossCauses losses,
        long waitsLost,
        StampCounts stamps) {
    /** The metrics of ledgers. */
    public static final List<Metric<LedgerMetrics>> METRICS = Stream.of(
                    List.of(Metric.<LedgerMetrics>number(
                            "ledger.tail",
                            "Slow packets",
                            "Quantile",
                            Metric.PERCENT,
                            Combination.NOT_JUDGED,
                            metrics -> metrics.tail.percent())),
                    Metric.within(LedgerMetrics::lag, LagLedgers.metrics("ledger.lag.", "Transmit lag")),
                    Metric.within(
                            LedgerMetrics::lagFromSchedule,
                            LagLedgers.metrics("ledger.lagFromSchedule.", "Lag from schedule")),
                    Metric.within(LedgerMetrics::losses, LossCauses.METRICS),
                    List.of(Metric.<LedgerMetrics>count(
                            "ledger.waitsLost",
                            "Scheduler records",
                            "Missing",
                            "records",
                            Combination.SUM,
                            LedgerMetrics::waitsLost)),
                    Metric.within(LedgerMetrics::stamps, StampCounts.METRICS))
            .flatMap(List::stream)
            .toList();

    /**
     * Computes the metrics of one run.
     *
     * @param run its observed packets
     * @param asked its packets that were asked for
     * @param statistics the statistics of its transmit lag and, with a schedule, of its lag from the scheduled time
     * @param kernelDrops number of packets that the receiver's kernel dropped because a buffer was full; null if
     *     unknown
     * @param damaged number of lost packets that arrived damaged
     * @param waitsLost switches and wake-ups that both sides' records do not have
     * @param tail which packets are slow
     * @return null if a side did not record causes
     */
    public static @Nullable LedgerMetrics of(
            JoinedRun run,
            JoinedRun asked,
            Map<PacketDelay, SeriesStatistics> statistics,
            @Nullable Long kernelDrops,
            long damaged,
            long waitsLost,
            Tail tail)
            throws LagbenchException {
        RunCauses causes = RunCauses.open(run, tail);
        if (causes == null) {
            return null;
        }
        SeriesStatistics lag = Objects.requireNonNull(statistics.get(PacketDelay.TRANSMIT_LAG));
        SeriesStatistics fromSchedule = statistics.get(PacketDelay.LAG_FROM_SCHEDULE);
        return new LedgerMetrics(
                tail,
                causes.attribution(PacketDelay.TRANSMIT_LAG, lag).sums(),
                fromSchedule == null
                        ? null
                        : causes.attribution(PacketDelay.LAG_FROM_SCHEDULE, fromSchedule)
                                .sums(),
                LossCauses.of(asked, causes, lag, kernelDrops).withDamaged(damaged),
                waitsLost,
                causes.arrivals().counts());
    }

    /** Returns the sum of these metrics and others of the same tail. */
    public LedgerMetrics plus(LedgerMetrics other) {
        return new LedgerMetrics(
                tail,
                lag.plus(other.lag),
                lagFromSchedule == null || other.lagFromSchedule == null
                        ? null
                        : lagFromSchedule.plus(other.lagFromSchedule),
                losses.plus(other.losses),
                waitsLost + other.waitsLost,
                stamps.plus(other.stamps));
    }
}

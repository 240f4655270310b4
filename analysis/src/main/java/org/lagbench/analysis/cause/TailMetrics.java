package org.lagbench.analysis.cause;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.SlowPackets;
import org.lagbench.analysis.cause.CauseMetrics.LossCauses;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * What delayed the slow packets of one run, by the same division of their lags.
 *
 * @param causes what made them slower than usual packets
 * @param ledger the parts of their lags; null if no packet arrived
 */
public record TailMetrics(CauseMetrics causes, @Nullable LedgerMetrics ledger) {
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
     * @param tail which values to attribute
     * @return null if a side did not record causes
     */
    public static @Nullable TailMetrics of(
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
        Attribution attribution = causes.attribution(PacketDelay.TRANSMIT_LAG, lag);
        SlowPackets slow = attribution.slow();
        return new TailMetrics(
                new CauseMetrics(
                        tail,
                        slow.causes(),
                        fromSchedule == null
                                ? null
                                : causes.attribution(PacketDelay.LAG_FROM_SCHEDULE, fromSchedule)
                                        .slow()
                                        .causes(),
                        LossCauses.of(asked, causes, lag, kernelDrops).withDamaged(damaged),
                        waitsLost,
                        causes.arrivals().counts()),
                run.received() == 0 ? null : new LedgerMetrics(tail, attribution.usual(), slow.ledgers()));
    }
}

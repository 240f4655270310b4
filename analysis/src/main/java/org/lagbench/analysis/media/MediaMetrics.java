package org.lagbench.analysis.media;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * The multimedia metrics of one run, or of several runs of one point. No value spans the end of a run. A constant clock
 * offset cancels out of all of them; a drift during a run does not.
 *
 * @param jitter interarrival jitter (RFC 3550)
 * @param ipdv the difference of the lags of consecutive packets (RFC 3393)
 * @param pdv the lag above the least (RFC 5481)
 * @param loss the pattern of losses (RFC 3357)
 * @param reordering how far packets arrived out of order (RFC 4737)
 * @param duplication duplicated packets (RFC 5560)
 * @param deliveryIndex the Media Delivery Index (RFC 4445); null for floods, which have no nominal rate
 */
public record MediaMetrics(
        Jitter jitter,
        Ipdv ipdv,
        TailStatistics pdv,
        LossPattern loss,
        Reordering reordering,
        Duplication duplication,
        @Nullable DeliveryIndex deliveryIndex) {
    /**
     * Computes the metrics of runs of one point.
     *
     * @param paceIntervalNs the time between packets or bursts in ns; 0 for a flood
     * @param paceBurst the number of packets in a burst, 1 if evenly paced
     */
    public static MediaMetrics of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        return new MediaMetrics(
                Jitter.of(runs),
                Ipdv.of(runs),
                TailStatistics.of(Pdv.values(runs)),
                LossPattern.of(runs),
                Reordering.of(runs),
                Duplication.of(runs),
                paceIntervalNs > 0 ? DeliveryIndex.of(runs, paceIntervalNs, paceBurst) : null);
    }
}

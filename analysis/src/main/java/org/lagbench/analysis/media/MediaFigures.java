package org.lagbench.analysis.media;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * The multimedia metrics of one run, or of several runs of one point together. No value is ever taken across the end of
 * a run. Offsets of the two sides' clocks cancel out of all of them, but their drift through a run does not.
 *
 * @param jitter interarrival jitter (RFC 3550)
 * @param ipdv the difference of the lags of packets sent one after the other (RFC 3393)
 * @param pdv the lag beyond the least (RFC 5481)
 * @param loss where losses fall (RFC 3357)
 * @param reordering how far packets came out of order (RFC 4737)
 * @param duplication how many came more than once (RFC 5560)
 * @param deliveryIndex the Media Delivery Index (RFC 4445); null of floods, which have no nominal rate to hold arrivals
 *     against
 */
public record MediaFigures(
        Jitter jitter,
        Ipdv ipdv,
        TailStatistics pdv,
        LossPattern loss,
        Reordering reordering,
        Duplication duplication,
        @Nullable DeliveryIndex deliveryIndex) {
    /**
     * Of runs of one point.
     *
     * @param paceIntervalNs the time between packets, or bursts, in ns; 0 of a flood
     * @param paceBurst how many packets a burst has, 1 if evenly paced
     * @throws LagbenchException if the captures cannot be read
     */
    public static MediaFigures of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        return new MediaFigures(
                Jitter.of(runs),
                Ipdv.of(runs),
                Pdv.of(runs),
                LossPattern.of(runs),
                Reordering.of(runs),
                Duplication.of(runs),
                paceIntervalNs > 0 ? DeliveryIndex.of(runs, paceIntervalNs, paceBurst) : null);
    }
}

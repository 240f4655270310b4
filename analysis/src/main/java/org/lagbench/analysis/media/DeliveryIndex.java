package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * The Media Delivery Index, DF:MLR (RFC 4445 §3), over periods of {@value #PERIOD_NS} ns by the receiver's clock. Each
 * arrival fills a virtual buffer VB, which drains at the nominal media rate MR = packet size × burst / pace interval.
 * With the packet size S and the time T(i) since the measurement began,
 *
 * <pre>
 *   VB(i, pre) = S · (i − 1) − MR · T(i),   VB(i, post) = VB(i, pre) + S,   VB(0) = 0
 *   DF = (VB(max) − VB(min)) / MR
 * </pre>
 *
 * <p>All packets have the same size, so that DF is exact in ns: S / MR is the pace interval / burst. Each measurement
 * begins just after the last arrival of the period before, the first just after the first arrival. A period without
 * arrivals has no DF. MLR counts the packets lost or out of order in a period: the numbers that its arrivals skip,
 * whether these arrive later or never. Packets lost after the last arrival count when they were due at MR.
 *
 * <p>Both are figures of a whole measurement interval: MLR is a count per interval, and DF grows with its length. So
 * the last period of a run is left out unless it is whole. A run ends with its last arrival, or when the packet after
 * its last one would be due, whichever is later.
 *
 * <p>A flood has no nominal rate, so that the index is not defined.
 *
 * @param packetsPerSecond the nominal media rate
 * @param periods whole periods with an arrival after the first packet
 * @param silentPeriods whole periods without any arrival
 * @param incompletePeriods last periods of runs that are left out, because they are not whole
 * @param delayFactorMeanNs mean DF of the periods in ns; NaN if there is none
 * @param delayFactorMaximumNs greatest DF in ns; NaN if there is none
 * @param mediaLossRateMean mean MLR of all whole periods, silent ones included, in packets per period; NaN if there is
 *     none
 * @param mediaLossRateMaximum greatest MLR, in packets per period; NaN if there is none
 */
public record DeliveryIndex(
        double packetsPerSecond,
        long periods,
        long silentPeriods,
        long incompletePeriods,
        double delayFactorMeanNs,
        double delayFactorMaximumNs,
        double mediaLossRateMean,
        double mediaLossRateMaximum) {
    /** The length of a period in ns. */
    public static final long PERIOD_NS = 1_000_000_000;

    static DeliveryIndex of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        DeliveryPeriods periods = new DeliveryPeriods(paceIntervalNs, paceBurst);
        for (JoinedRun run : runs) {
            periods.add(run);
        }
        return periods.index();
    }
}

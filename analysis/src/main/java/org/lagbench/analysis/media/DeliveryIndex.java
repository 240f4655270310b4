package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * The Media Delivery Index, DF:MLR (RFC 4445 §3), over periods of {@value #PERIOD_NS} ns by the receiver's clock. A
 * virtual buffer VB is filled by what arrives and drained at the nominal media rate MR = packet size × burst / pace
 * interval; with S the packet's size and T(i) the time since the measurement began,
 *
 * <pre>
 *   VB(i, pre) = S · (i − 1) − MR · T(i),   VB(i, post) = VB(i, pre) + S,   VB(0) = 0
 *   DF = (VB(max) − VB(min)) / MR
 * </pre>
 *
 * <p>which, all packets being of one size, is computed exactly in ns: S / MR is the pace interval / burst. Each
 * measurement begins just after the last arrival of the period before, the first just after the first arrival. A period
 * in which nothing arrives has no DF of its own. MLR counts the packets lost or out of order in a period: numbers
 * skipped by the arrivals in it, whether they come later or never; those lost after the last arrival are in the last
 * period. The last period of a run is shorter than the others: it ends with the run.
 *
 * <p>A flood has no nominal rate: its packets are due as fast as they will go, so that neither what is early nor what
 * is late can be told, and the index is not defined.
 *
 * @param packetsPerSecond the nominal media rate
 * @param periods periods in which something arrived after the first packet
 * @param silentPeriods periods between arrivals in which nothing came
 * @param delayFactorMeanNs mean DF of the periods in ns; NaN if there is none
 * @param delayFactorMaximumNs greatest DF in ns; NaN if there is none
 * @param mediaLossRateMean mean MLR of the periods, silent ones included, in packets a period; NaN if there is none
 * @param mediaLossRateMaximum greatest MLR, in packets a period
 */
public record DeliveryIndex(
        double packetsPerSecond,
        long periods,
        long silentPeriods,
        double delayFactorMeanNs,
        double delayFactorMaximumNs,
        double mediaLossRateMean,
        long mediaLossRateMaximum) {
    /** How long a period is, in ns. */
    public static final long PERIOD_NS = 1_000_000_000;

    static DeliveryIndex of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        DeliveryPeriods periods = new DeliveryPeriods(paceIntervalNs, paceBurst);
        for (JoinedRun run : runs) {
            periods.add(run);
        }
        return periods.index();
    }
}

package org.lagbench.analysis.media;

import java.util.List;
import java.util.LongSummaryStatistics;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The Media Delivery Index, DF:MLR (RFC 4445 §3), over periods of a second by the receiver's clock. Each arrival fills
 * a virtual buffer VB, which drains at the nominal media rate MR = packet size × burst / pace interval. With the packet
 * size S and the time T(i) since the measurement began,
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
 * @param delayFactorMaximumNs largest DF in ns; NaN if there is none
 * @param mediaLossRateMean mean MLR of all whole periods, silent ones included, in packets per period; NaN if there is
 *     none
 * @param mediaLossRateMaximum largest MLR, in packets per period; NaN if there is none
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
    private static final String TITLE = "Media delivery index";
    private static final String PERIODS = "periods";

    /** The metrics of the index. */
    static final List<Metric<DeliveryIndex>> METRICS = List.of(
            Metric.packetRate(
                    "media.deliveryIndex.packetsPerSecond", TITLE, "Nominal rate", DeliveryIndex::packetsPerSecond),
            Metric.count(
                            "media.deliveryIndex.periods",
                            TITLE,
                            "Periods",
                            PERIODS,
                            Combination.SUM,
                            DeliveryIndex::periods)
                    .higherIsBetter(),
            Metric.count(
                    "media.deliveryIndex.silentPeriods",
                    TITLE,
                    "Silent periods",
                    PERIODS,
                    Combination.SUM,
                    DeliveryIndex::silentPeriods),
            Metric.count(
                    "media.deliveryIndex.incompletePeriods",
                    TITLE,
                    "Incomplete periods",
                    PERIODS,
                    Combination.SUM,
                    DeliveryIndex::incompletePeriods),
            Metric.time(
                    "media.deliveryIndex.delayFactorMean",
                    "Delay factor",
                    "Mean",
                    Combination.MEDIAN,
                    DeliveryIndex::delayFactorMeanNs),
            Metric.time(
                    "media.deliveryIndex.delayFactorMaximum",
                    "Delay factor",
                    "Max",
                    Combination.MAX,
                    DeliveryIndex::delayFactorMaximumNs),
            Metric.mean(
                    "media.deliveryIndex.mediaLossRateMean",
                    "Media loss rate",
                    "Mean",
                    "packets",
                    DeliveryIndex::mediaLossRateMean,
                    index -> index.periods + index.silentPeriods),
            Metric.count(
                    "media.deliveryIndex.mediaLossRateMaximum",
                    "Media loss rate",
                    "Max",
                    "packets",
                    Combination.MAX,
                    DeliveryIndex::mediaLossRateMaximum));

    /** The length of a period in ns. */
    public static final long PERIOD_NS = 1_000_000_000;

    static DeliveryIndex of(List<JoinedRun> runs, long paceIntervalNs, int paceBurst) throws LagbenchException {
        DeliveryPeriods periods = new DeliveryPeriods(paceIntervalNs, paceBurst);
        for (JoinedRun run : runs) {
            periods.add(run);
        }
        return periods.index();
    }

    /** Accumulates the {@link DeliveryIndex} of runs, one at a time. */
    static final class DeliveryPeriods {
        private final long paceIntervalNs;
        private final int paceBurst;

        private final LongSummaryStatistics delayFactorsNs = new LongSummaryStatistics();
        private long silentPeriods;
        private long incompletePeriods;
        private long mediaLossSum;
        private long mediaLossMaximum;

        // state of the current run
        private boolean hasArrivals;
        private long firstNs;
        private long firstPacket;
        private long previousNs;
        private long period;
        private long nextExpected;

        // state of the current period; its VB is in ns of media and counts from the time referenceNs
        private long referenceNs;
        private long arrivals;
        private long fullest;
        private long emptiest;
        private long missed;

        DeliveryPeriods(long paceIntervalNs, int paceBurst) {
            this.paceIntervalNs = paceIntervalNs;
            this.paceBurst = paceBurst;
        }

        void add(JoinedRun run) throws LagbenchException {
            hasArrivals = false;
            period = 0;
            nextExpected = 0;
            run.forEachFirstCopy((arrival, packet) -> arrive(run.receivedNs(arrival), packet));
            if (hasArrivals) {
                endRun(run.sent());
            }
        }

        /**
         * Counts the packets that are lost after the last arrival when they were due, and drops a period that is not
         * whole.
         */
        private void endRun(long sent) {
            for (long packet = nextExpected; packet < sent; packet++) {
                advance(dueNs(packet));
                missed++;
            }
            long lengthNs = Math.max(previousNs - firstNs, dueNs(sent));
            long whole = lengthNs / DeliveryIndex.PERIOD_NS;
            if (period < whole) {
                endPeriod();
                silentPeriods += whole - period - 1;
            }
            if (lengthNs % DeliveryIndex.PERIOD_NS != 0) {
                incompletePeriods++;
            }
        }

        /** Returns when a packet is due at the nominal rate, after the first arrival. */
        private long dueNs(long packet) {
            return drainNs(packet - firstPacket);
        }

        /** Ends the periods before a time, in ns since the first arrival. */
        private void advance(long elapsedNs) {
            long periodNow = Math.max(period, elapsedNs / DeliveryIndex.PERIOD_NS);
            if (periodNow > period) {
                endPeriod();
                silentPeriods += periodNow - period - 1;
                beginPeriod(previousNs);
                period = periodNow;
            }
        }

        DeliveryIndex index() {
            long periods = delayFactorsNs.getCount();
            return new DeliveryIndex(
                    1e9 * paceBurst / paceIntervalNs,
                    periods,
                    silentPeriods,
                    incompletePeriods,
                    periods == 0 ? Double.NaN : delayFactorsNs.getAverage(),
                    periods == 0 ? Double.NaN : delayFactorsNs.getMax(),
                    (double) mediaLossSum / (periods + silentPeriods),
                    periods + silentPeriods == 0 ? Double.NaN : (double) mediaLossMaximum);
        }

        private void arrive(long receivedNs, long packet) {
            if (hasArrivals) {
                advance(receivedNs - firstNs);
                long elapsedNs = receivedNs - referenceNs;
                emptiest = Math.min(emptiest, drainNs(arrivals) - elapsedNs);
                arrivals++;
                fullest = Math.max(fullest, drainNs(arrivals) - elapsedNs);
            } else {
                hasArrivals = true;
                firstNs = receivedNs;
                firstPacket = packet;
                beginPeriod(receivedNs);
            }
            missed += Math.max(0, packet - nextExpected);
            nextExpected = Math.max(nextExpected, packet + 1);
            previousNs = receivedNs;
        }

        private void beginPeriod(long fromNs) {
            referenceNs = fromNs;
            arrivals = 0;
            fullest = 0;
            emptiest = 0;
            missed = 0;
        }

        /** Returns the time in which the nominal rate drains packets. */
        private long drainNs(long packets) {
            return packets * paceIntervalNs / paceBurst;
        }

        private void endPeriod() {
            mediaLossSum += missed;
            mediaLossMaximum = Math.max(mediaLossMaximum, missed);
            if (arrivals == 0) {
                silentPeriods++;
            } else {
                delayFactorsNs.accept(fullest - emptiest);
            }
        }
    }
}

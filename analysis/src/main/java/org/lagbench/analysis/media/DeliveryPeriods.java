package org.lagbench.analysis.media;

import java.util.LongSummaryStatistics;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Ratio;
import org.lagbench.core.failure.LagbenchException;

/** Accumulates the {@link DeliveryIndex} of runs, one after the other. */
final class DeliveryPeriods {
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
     * Counts the packets that are lost after the last arrival when they were due, and drops a period that is not whole.
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
                Ratio.of(mediaLossSum, periods + silentPeriods),
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

package org.lagbench.analysis.media;

import java.util.LongSummaryStatistics;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** Accumulates the {@link DeliveryIndex} of runs, one after the other. */
final class DeliveryPeriods {
    private final long paceIntervalNs;
    private final int paceBurst;

    private final LongSummaryStatistics delayFactorsNs = new LongSummaryStatistics();
    private long silentPeriods;
    private long mediaLossSum;
    private long mediaLossMaximum;

    // the current run
    private boolean hasArrivals;
    private long firstNs;
    private long previousNs;
    private long period;
    private long nextExpected;

    // the current period: VB in ns of media since the reference
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
            missed += run.sent() - nextExpected;
            endPeriod();
        }
    }

    DeliveryIndex index() {
        long periods = delayFactorsNs.getCount();
        return new DeliveryIndex(
                1e9 * paceBurst / paceIntervalNs,
                periods,
                silentPeriods,
                periods == 0 ? Double.NaN : delayFactorsNs.getAverage(),
                periods == 0 ? Double.NaN : delayFactorsNs.getMax(),
                Ratio.of(mediaLossSum, periods + silentPeriods),
                mediaLossMaximum);
    }

    private void arrive(long receivedNs, long packet) {
        if (hasArrivals) {
            long periodNow = Math.max(period, (receivedNs - firstNs) / DeliveryIndex.PERIOD_NS);
            if (periodNow > period) {
                endPeriod();
                silentPeriods += periodNow - period - 1;
                beginPeriod(previousNs);
                period = periodNow;
            }
            long elapsedNs = receivedNs - referenceNs;
            emptiest = Math.min(emptiest, drainNs(arrivals) - elapsedNs);
            arrivals++;
            fullest = Math.max(fullest, drainNs(arrivals) - elapsedNs);
        } else {
            hasArrivals = true;
            firstNs = receivedNs;
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

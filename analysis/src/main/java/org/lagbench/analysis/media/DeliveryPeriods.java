package org.lagbench.analysis.media;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** Goes through runs for their {@link DeliveryIndex}, one after the other. */
final class DeliveryPeriods {
    private final long paceIntervalNs;
    private final int paceBurst;

    private long periods;
    private long silentPeriods;
    private double delayFactorSumNs;
    private long delayFactorMaximumNs;
    private long mediaLossSum;
    private long mediaLossMaximum;

    // of the period at hand: VB in ns of media, and where it is computed from
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
        boolean any = false;
        long firstNs = 0;
        long previousNs = 0;
        long period = 0;
        long nextExpected = 0;
        for (long i = 0; i < run.received(); i++) {
            if (!run.isFirstCopy(i)) {
                continue;
            }
            long packet = run.packetOf(i);
            long receivedNs = run.receivedNs(i);
            if (any) {
                long periodNow = Math.max(period, (receivedNs - firstNs) / DeliveryIndex.PERIOD_NS);
                if (periodNow > period) {
                    end();
                    silentPeriods += periodNow - period - 1;
                    begin(previousNs);
                    period = periodNow;
                }
                arrive(receivedNs);
            } else {
                any = true;
                firstNs = receivedNs;
                begin(receivedNs);
            }
            if (packet >= nextExpected) {
                missed += packet - nextExpected;
                nextExpected = packet + 1;
            }
            previousNs = receivedNs;
        }
        if (any) {
            missed += run.sent() - nextExpected;
            end();
        }
    }

    DeliveryIndex index() {
        return new DeliveryIndex(
                1e9 * paceBurst / paceIntervalNs,
                periods,
                silentPeriods,
                periods == 0 ? Double.NaN : delayFactorSumNs / periods,
                periods == 0 ? Double.NaN : delayFactorMaximumNs,
                periods + silentPeriods == 0 ? Double.NaN : mediaLossSum / (double) (periods + silentPeriods),
                mediaLossMaximum);
    }

    private void begin(long fromNs) {
        referenceNs = fromNs;
        arrivals = 0;
        fullest = 0;
        emptiest = 0;
        missed = 0;
    }

    private void arrive(long receivedNs) {
        long elapsedNs = receivedNs - referenceNs;
        emptiest = Math.min(emptiest, drainNs(arrivals) - elapsedNs);
        arrivals++;
        fullest = Math.max(fullest, drainNs(arrivals) - elapsedNs);
    }

    /** How long the nominal rate takes to drain that many packets. */
    private long drainNs(long packets) {
        return packets * paceIntervalNs / paceBurst;
    }

    private void end() {
        mediaLossSum += missed;
        mediaLossMaximum = Math.max(mediaLossMaximum, missed);
        if (arrivals == 0) {
            silentPeriods++;
        } else {
            periods++;
            delayFactorSumNs += fullest - emptiest;
            delayFactorMaximumNs = Math.max(delayFactorMaximumNs, fullest - emptiest);
        }
    }
}

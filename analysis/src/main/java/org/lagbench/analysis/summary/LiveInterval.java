package org.lagbench.analysis.summary;

import org.lagbench.core.series.ReceivedInterval;
import org.lagbench.core.text.Units;

/**
 * The metrics of both sides for one interval of a run, about a second. Rates are per second of each side's own
 * interval; NaN if that has no length. Lags are as stamped: their error is at most the run's clock bound.
 *
 * @param beganS seconds from the first recorded packet to the beginning
 * @param endedS seconds from the first recorded packet to the end
 * @param sent packets sent
 * @param sentPerS their rate
 * @param allSent packets sent from the first one to the end of the interval
 * @param received the receiver's counts
 * @param receivedPerS the rate of the received packets, copies included
 * @param sampled whether the lags are those of a sample, because there were many packets
 * @param lags the number of lags that median and quantile are of
 * @param medianNs median lag; NaN if there is no lag
 * @param q99Ns 99 % quantile of the lag; NaN if there is no lag
 */
public record LiveInterval(
        double beganS,
        double endedS,
        long sent,
        double sentPerS,
        long allSent,
        ReceivedInterval received,
        double receivedPerS,
        boolean sampled,
        long lags,
        double medianNs,
        double q99Ns) {

    /** Returns whether all packets of a run have been sent, and none was received in the interval. */
    public boolean isFinishing(long packets) {
        return allSent >= packets && received.received() == 0;
    }

    /** Returns a rate of packets in Mbit/s, without the headers of the transport and below. */
    public static double mbitPerS(double packetsPerS, int packetBytes) {
        return packetsPerS * packetBytes * Byte.SIZE / Units.BITS_PER_MBIT;
    }
}

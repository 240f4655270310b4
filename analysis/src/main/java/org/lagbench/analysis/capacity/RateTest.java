package org.lagbench.analysis.capacity;

import org.lagbench.analysis.statistics.Interval;

/**
 * A train of packets that tested a rate. Rates are in bits of IP packets per second.
 *
 * @param rate the scheduled rate
 * @param bytes total size of the IP packets
 * @param received the rate at which the packets arrived
 * @param lostShare the part of the packets that were lost
 * @param isTooFast whether the scheduled rate was too high for the path or for the sender
 * @param isTooFastForNetwork whether the rate was too high for the network
 * @param isDisturbed whether a host or a link paused, so that the train does not show whether the rate is too high
 */
public record RateTest(
        double rate,
        long bytes,
        Interval received,
        double lostShare,
        boolean isTooFast,
        boolean isTooFastForNetwork,
        boolean isDisturbed) {
    /** Returns the result of a train. */
    public static RateTest of(double rate, PacketTrain train) {
        return new RateTest(
                rate,
                train.bytes(),
                train.receivedInterval(),
                train.lostShare(),
                train.isTooFast(),
                train.isTooFastForNetwork(),
                train.isDisturbed());
    }
}

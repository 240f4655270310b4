package org.lagbench.analysis.capacity;

/**
 * A train of packets that tested a rate. Rates are in bits of IP packets per second.
 *
 * @param rate the rate at which the packets were due
 * @param bytes of all IP packets
 * @param received the rate at which they arrived
 * @param lostShare the part of the packets that were lost
 * @param isTooFast whether the packets were due faster than the path, or the sender, could carry them
 * @param isTooFastForNetwork whether the network was the reason
 * @param isDisturbed whether a host or a link paused, so that the train says little about the rate
 */
public record RateTest(
        double rate,
        long bytes,
        TransferForecast.Interval received,
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

package org.lagbench.core.clock;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The interval of the offset of two clocks that two-way exchanges prove: receiver's reading − sender's reading at the
 * same moment. It assumes only that no message arrives before it was sent, so it holds for any asymmetry of the delays.
 *
 * @param senderAtNs the moment of the offset, on the sender's clock
 * @param receiverAtNs about the same moment on the receiver's clock
 * @param lowerNs the smallest possible offset in ns
 * @param upperNs the largest possible offset in ns; less than the lower one if the exchanges contradict each other
 * @param smallestRoundTripNs the smallest round trip of all exchanges, in ns
 * @param exchanges the number of exchanges behind the interval
 */
public record OffsetInterval(
        long senderAtNs, long receiverAtNs, long lowerNs, long upperNs, long smallestRoundTripNs, int exchanges) {
    /**
     * The largest assumed difference of two clocks' rates, in ppm: quartz clocks rarely differ by 200, and the kernel
     * adjusts a clock by at most 500.
     */
    public static final int LARGEST_DRIFT_PPM = 500;

    /**
     * Returns the intersection of the intervals of a burst's exchanges, each widened by the drift between its stamps
     * and the middle of the burst.
     *
     * @param burst one exchange or more, in their order
     * @param driftPpm the largest difference of the clocks' rates
     */
    public static OffsetInterval of(List<TwoWayExchange> burst, int driftPpm) {
        TwoWayExchange first = burst.get(0);
        TwoWayExchange last = burst.get(burst.size() - 1);
        long senderAtNs = middle(first.sentNs(), last.returnedNs());
        long lower = Long.MIN_VALUE;
        long upper = Long.MAX_VALUE;
        long smallestRoundTrip = Long.MAX_VALUE;
        for (TwoWayExchange exchange : burst) {
            long distanceNs =
                    Math.max(Math.abs(exchange.sentNs() - senderAtNs), Math.abs(exchange.returnedNs() - senderAtNs));
            long driftNs = driftNs(distanceNs, driftPpm);
            lower = Math.max(lower, exchange.lowerNs() - driftNs);
            upper = Math.min(upper, exchange.upperNs() + driftNs);
            smallestRoundTrip = Math.min(smallestRoundTrip, exchange.roundTripNs());
        }
        return new OffsetInterval(
                senderAtNs,
                middle(first.receivedNs(), last.repliedNs()),
                lower,
                upper,
                smallestRoundTrip,
                burst.size());
    }

    /**
     * Returns the interval at another moment, widened by the drift between.
     *
     * @param otherSenderAtNs the moment, on the sender's clock
     * @param driftPpm the largest difference of the clocks' rates
     */
    public OffsetInterval at(long otherSenderAtNs, int driftPpm) {
        long driftNs = driftNs(Math.abs(otherSenderAtNs - senderAtNs), driftPpm);
        return new OffsetInterval(
                otherSenderAtNs,
                receiverAtNs + (otherSenderAtNs - senderAtNs),
                lowerNs - driftNs,
                upperNs + driftNs,
                smallestRoundTripNs,
                exchanges);
    }

    /**
     * Returns the intersection of two intervals at this one's time.
     *
     * @param other an interval of the same two clocks, at any time
     * @param driftPpm the largest difference of the clocks' rates
     */
    public OffsetInterval intersect(OffsetInterval other, int driftPpm) {
        OffsetInterval here = other.at(senderAtNs, driftPpm);
        return new OffsetInterval(
                senderAtNs,
                receiverAtNs,
                Math.max(lowerNs, here.lowerNs),
                Math.min(upperNs, here.upperNs),
                Math.min(smallestRoundTripNs, here.smallestRoundTripNs),
                exchanges + here.exchanges);
    }

    /** Returns whether no offset fits: a clock was stepped between the exchanges, or drifted more than assumed. */
    @JsonIgnore
    public boolean isEmpty() {
        return lowerNs > upperNs;
    }

    /** Returns the largest error of a lag without a correction of the offset: max(|lower|, |upper|), in ns. */
    public long largestNs() {
        return Math.max(Math.abs(lowerNs), Math.abs(upperNs));
    }

    /** Returns the drift over a time in ns, rounded up; at most 18 years, so that it can be added. */
    static long driftNs(long elapsedNs, double ppm) {
        return Math.min(1L << 59, (long) Math.ceil(elapsedNs * ppm / 1e6));
    }

    private static long middle(long from, long to) {
        return from + (to - from) / 2;
    }

    /**
     * The four stamps of a message and its reply, as in RFC 5905 section 8, in ns since the epoch on the clock of the
     * side that took the stamp. The stamps are the kernels', or the programs'.
     *
     * @param sentNs sender: just before the message left
     * @param receivedNs receiver: just after it arrived
     * @param repliedNs receiver: just before the reply left
     * @param returnedNs sender: just after it arrived
     */
    public record TwoWayExchange(long sentNs, long receivedNs, long repliedNs, long returnedNs) {
        /** The capture of a run's exchanges. A run is complete without it. */
        public static final String FILE_NAME = "two-way.npy";

        public static final List<String> FIELDS = List.of("seq", "sent_ns", "received_ns", "replied_ns", "returned_ns");

        /** Returns the sum of both messages' delays in ns. */
        public long roundTripNs() {
            return (returnedNs - sentNs) - (repliedNs - receivedNs);
        }

        /** Returns the smallest possible offset, receiver − sender, for any delays. */
        public long lowerNs() {
            return repliedNs - returnedNs;
        }

        /** Returns the largest possible offset, receiver − sender, for any delays. */
        public long upperNs() {
            return receivedNs - sentNs;
        }
    }
}

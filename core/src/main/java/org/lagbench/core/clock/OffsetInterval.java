package org.lagbench.core.clock;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * Between what the offset of two clocks must lie, as two-way exchanges prove it: receiver's reading − sender's reading
 * at the same moment. It rests on nothing but that no message comes before it was sent, so that it holds however unlike
 * the delays of the two ways are.
 *
 * @param senderAtNs the moment that the interval is about, on the sender's clock
 * @param receiverAtNs about the same moment on the receiver's clock
 * @param lowerNs the offset is no less, in ns
 * @param upperNs the offset is no more, in ns; less than the lower one if the exchanges contradict each other
 * @param smallestRoundTripNs of all exchanges, in ns
 * @param exchanges how many exchanges the interval rests on
 */
public record OffsetInterval(
        long senderAtNs, long receiverAtNs, long lowerNs, long upperNs, long smallestRoundTripNs, int exchanges) {
    /**
     * By how much two clocks' rates may be taken to differ at the most, in ppm: two of quartz hardly differ by 200, and
     * the kernel's discipline moves a clock by no more than 500.
     */
    public static final int LARGEST_DRIFT_PPM = 500;

    /**
     * The intersection of what each exchange of a burst proves. Each exchange's interval is widened by the drift
     * between its stamps and the middle of the burst.
     *
     * @param burst one exchange or more, in the order they were made
     * @param driftPpm by how much the clocks' rates may differ
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
     * The same offset at another time, less surely known by the drift between.
     *
     * @param otherSenderAtNs the moment, on the sender's clock
     * @param driftPpm by how much the clocks' rates may differ
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
     * What two intervals prove together of the offset at this one's time.
     *
     * @param other of the same two clocks, at any time
     * @param driftPpm by how much the clocks' rates may differ
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

    /** Whether no offset fits: a clock was stepped between the exchanges, or drifted by more than was allowed for. */
    @JsonIgnore
    public boolean isEmpty() {
        return lowerNs > upperNs;
    }

    /** The largest error of a lag that takes the two clocks for one: max(|lower|, |upper|), in ns. */
    public long largestNs() {
        return Math.max(Math.abs(lowerNs), Math.abs(upperNs));
    }

    /** How far clocks part in that time, in ns, rounded up; at most 18 years, so that it can be added. */
    static long driftNs(long elapsedNs, double ppm) {
        return Math.min(1L << 59, (long) Math.ceil(elapsedNs * ppm / 1e6));
    }

    private static long middle(long from, long to) {
        return from + (to - from) / 2;
    }
}

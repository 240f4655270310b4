package org.lagbench.core.clock;

/**
 * The four stamps of a message and its answer, as in RFC 5905 section 8. Each in ns since the epoch of the clock of the
 * side that took it.
 *
 * @param sentNs sender: just before the message left
 * @param receivedNs receiver: just after it came
 * @param repliedNs receiver: just before the answer left
 * @param returnedNs sender: just after it came
 */
public record TwoWayExchange(long sentNs, long receivedNs, long repliedNs, long returnedNs) {
    /** The time that both messages spent on their way together, in ns. */
    public long roundTripNs() {
        return (returnedNs - sentNs) - (repliedNs - receivedNs);
    }

    /** The receiver's clock is ahead of the sender's by no less than this, whatever the delay of either way. */
    public long lowerNs() {
        return repliedNs - returnedNs;
    }

    /** The receiver's clock is ahead of the sender's by no more than this, whatever the delay of either way. */
    public long upperNs() {
        return receivedNs - sentNs;
    }
}

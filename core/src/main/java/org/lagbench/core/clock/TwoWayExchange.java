package org.lagbench.core.clock;

/**
 * The four stamps of a message and its answer, as in RFC 5905 section 8, in ns since the epoch on the clock of the side
 * that took the stamp. The stamps are the kernels', or the programs'.
 *
 * @param sentNs sender: just before the message left
 * @param receivedNs receiver: just after it arrived
 * @param repliedNs receiver: just before the answer left
 * @param returnedNs sender: just after it arrived
 */
public record TwoWayExchange(long sentNs, long receivedNs, long repliedNs, long returnedNs) {
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

package org.lagbench.core.clock;

import java.util.List;

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

package org.lagbench.analysis.join;

/** Checks whether consecutive arrivals are in the order of sending, without duplicates. Not thread-safe. */
final class OrderCheck {
    private boolean isKept = true;

    /** The sequence number of the first packet; negative until a packet is added. */
    private long first = -1;

    private long last = -1;
    private long negativeLags;

    /** Adds the sequence numbers of the next arrivals, at least one, of a run with {@code sent} packets. */
    void add(long[] packets, int count, long sent) {
        first = first < 0 ? packets[0] : first;
        for (int i = 0; i < count; i++) {
            isKept &= packets[i] > last && packets[i] < sent;
            last = packets[i];
        }
    }

    /** Adds the result for the arrivals that directly follow those of this check. */
    void add(OrderCheck next) {
        isKept &= next.isKept && (next.first < 0 || last < next.first);
        last = Math.max(last, next.last);
        negativeLags += next.negativeLags;
    }

    /** Counts the packets that were received before they were sent. */
    void countNegativeLags(long[] sentNs, long[] receivedNs, int count) {
        for (int i = 0; i < count; i++) {
            negativeLags += receivedNs[i] < sentNs[i] ? 1 : 0;
        }
    }

    boolean isKept() {
        return isKept;
    }

    long negativeLags() {
        return negativeLags;
    }
}

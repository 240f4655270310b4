package org.lagbench.analysis.join;

import org.lagbench.analysis.statistics.Partitions;
import org.lagbench.core.failure.LagbenchException;

/** Checks whether consecutive arrivals are in the order of sending, without duplicates. Not thread-safe. */
final class OrderCheck {
    private final long[] packets = new long[JoinedRun.BLOCK];
    private final long[] arrived = new long[JoinedRun.BLOCK];
    private boolean isKept = true;

    /** The sequence number of the first packet; negative until a packet is added. */
    private long first = -1;

    private long last = -1;
    private long negativeLags;
    private LagRange lags = LagRange.NONE;

    /** Checks the sender's records of a run, and its arrivals up to the first one of each partition out of order. */
    static OrderCheck of(JoinedRun run, long sent, long arrivals) throws LagbenchException {
        OrderCheck order = new OrderCheck();
        for (OrderCheck partition : Partitions.runAll(run.partitions(), number -> of(run, number, sent, arrivals))) {
            order.add(partition);
        }
        return order;
    }

    private static OrderCheck of(JoinedRun run, int partition, long sent, long arrivals) throws LagbenchException {
        JoinedRun reader = run.partition(partition);
        OrderCheck order = new OrderCheck();
        for (int part = 0; part < run.parts(); part++) {
            reader.sender.checkSequence(run.firstItem(partition, part, sent), run.firstItem(partition, part + 1, sent));
            order.add(reader, run.firstItem(partition, part, arrivals), run.firstItem(partition, part + 1, arrivals));
        }
        return order;
    }

    private void add(JoinedRun reader, long from, long until) throws LagbenchException {
        for (long at = from; at < until && isKept; at += JoinedRun.BLOCK) {
            int count = (int) Math.min(JoinedRun.BLOCK, until - at);
            reader.receiver.read(at, reader.sequence, packets, count);
            add(packets, count, reader.sender.records());
            if (isKept) {
                reader.receiver.read(at, reader.receivedNs, arrived, count);
                reader.sender.replace(packets, count, reader.sender.sentNs);
                addLags(packets, arrived, count);
            }
        }
    }

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
        lags = lags.plus(next.lags);
    }

    /** Adds the lags of packets, and counts those that were received before they were sent. */
    void addLags(long[] sentNs, long[] receivedNs, int count) {
        long minNs = Long.MAX_VALUE;
        long maxNs = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            long lagNs = receivedNs[i] - sentNs[i];
            minNs = Math.min(minNs, lagNs);
            maxNs = Math.max(maxNs, lagNs);
            negativeLags += receivedNs[i] < sentNs[i] ? 1 : 0;
        }
        lags = lags.plus(new LagRange(minNs, maxNs));
    }

    boolean isKept() {
        return isKept;
    }

    long negativeLags() {
        return negativeLags;
    }

    LagRange lags() {
        return lags;
    }
}

package org.lagbench.analysis.join;

import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sender's stamps by sequence number, usually read in the order of arrival. Reordered packets make that order jump:
 * jumps of up to about 6,000 packets are cheap, longer ones correct but slow.
 *
 * <p>Takes less than half a megabyte; reading allocates nothing. Not thread-safe.
 */
final class SenderStamps implements AutoCloseable {
    private static final int SPAN_RECORDS = 1 << 13;

    /** Indices of the fields in the capture. */
    final int scheduledNs;

    final int sentNs;
    final int returnedNs;

    /** The index of the field of the bus cycles; negative if they were not recorded. */
    final int busCycle;

    private final CaptureReader capture;
    private final int sequence;
    private final long[] span = new long[SPAN_RECORDS];
    private long records;

    SenderStamps(CaptureReader capture) throws LagbenchException {
        this.capture = capture;
        this.records = capture.records();
        this.sequence = capture.field("seq");
        this.scheduledNs = capture.field("scheduled_ns");
        this.sentNs = capture.field("sent_ns");
        this.returnedNs = capture.field("returned_ns");
        this.busCycle = capture.fields().indexOf("bus_cycle");
    }

    /** Checks that record n of a range is that of packet n, on which all other methods rely. */
    void checkSequence(long from, long until) throws LagbenchException {
        for (long first = from; first < until; first += span.length) {
            int count = (int) Math.min(span.length, until - first);
            capture.read(first, sequence, span, count);
            for (int i = 0; i < count; i++) {
                if (span[i] != first + i) {
                    throw ExitCode.FILES.failure("The capture " + capture.path() + " is corrupt: its record "
                            + (first + i) + " has sequence number " + span[i] + " in place of " + (first + i) + ".");
                }
            }
        }
    }

    /** Reads a field of consecutive packets. */
    void read(long first, int field, long[] values, int count) throws LagbenchException {
        capture.read(first, field, values, count);
    }

    /** Replaces sequence numbers by a field of their packets. */
    void replace(long[] packets, int count, int field) throws LagbenchException {
        long min = Long.MAX_VALUE;
        long max = -1;
        for (int i = 0; i < count; i++) {
            min = Math.min(min, packets[i]);
            max = Math.max(max, packets[i]);
        }
        if (max - min < span.length) {
            if (count > 0) {
                capture.read(min, field, span, (int) (max - min) + 1);
            }
            for (int i = 0; i < count; i++) {
                packets[i] = span[(int) (packets[i] - min)];
            }
        } else {
            for (int i = 0; i < count; i++) {
                packets[i] = capture.value(packets[i], field);
            }
        }
    }

    /** Returns the number of packets, without those that are left out. */
    long records() {
        return records;
    }

    /** Returns the number of packets in the capture. */
    long allRecords() {
        return capture.records();
    }

    /** Leaves out all packets but the first {@code count}. */
    void limit(long count) {
        records = count;
    }

    long value(long packet, int field) throws LagbenchException {
        return capture.value(packet, field);
    }

    long sentNs(long packet) throws LagbenchException {
        return capture.value(packet, sentNs);
    }

    @Override
    public void close() throws LagbenchException {
        capture.close();
    }
}

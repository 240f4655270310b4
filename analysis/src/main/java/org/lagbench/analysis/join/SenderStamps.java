package org.lagbench.analysis.join;

import java.nio.file.Path;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sender's stamps by sequence number, asked for in the order of arrival. Where packets overtake each other that order
 * hops to and fro. A reader holds one stretch of the file; two that take turns by blocks as long as such a stretch need
 * not read again for hops of up to {@value #BLOCK_RECORDS} packets. Farther hops are right too, but slow.
 *
 * <p>Not thread-safe. Half a megabyte; reading allocates nothing.
 */
final class SenderStamps implements AutoCloseable {
    private static final int BLOCK_SHIFT = 13;
    private static final int BLOCK_RECORDS = 1 << BLOCK_SHIFT;
    private static final int STRETCH_RECORDS = 1 << 13;

    /** Even blocks are read by the first, odd ones by the second. */
    private final CaptureReader[] readers;

    /** The block that each reader was last asked for. */
    private final long[] blocks = {-1, -1};

    private final long records;
    private final int scheduledNs;
    private final int sentNs;
    private final int returnedNs;
    private final long[] stretch = new long[STRETCH_RECORDS];

    private SenderStamps(CaptureReader even, CaptureReader odd, int scheduledNs, int sentNs, int returnedNs) {
        this.readers = new CaptureReader[] {even, odd};
        this.records = even.records();
        this.scheduledNs = scheduledNs;
        this.sentNs = sentNs;
        this.returnedNs = returnedNs;
    }

    /**
     * Opens the sender's capture in a run's directory.
     *
     * @throws LagbenchException with the path, if it is missing, unreadable or corrupt
     */
    static SenderStamps open(Path directory) throws LagbenchException {
        Path path = directory.resolve(SenderCapture.FILE_NAME);
        CaptureReader even = CaptureReader.open(path);
        try {
            int scheduledNs = even.field("scheduled_ns");
            int sentNs = even.field("sent_ns");
            int returnedNs = even.field("returned_ns");
            return new SenderStamps(even, CaptureReader.open(path), scheduledNs, sentNs, returnedNs);
        } catch (LagbenchException | RuntimeException e) {
            JoinedRun.closeAfter(e, even);
            throw e;
        }
    }

    /** Checks that the record of packet n is the n-th, from one packet to another: all else here rests on it. */
    void checkSequence(long from, long until) throws LagbenchException {
        CaptureReader capture = readers[0];
        int sequence = capture.field("seq");
        for (long first = from; first < until; first += stretch.length) {
            int count = (int) Math.min(stretch.length, until - first);
            capture.read(first, sequence, stretch, count);
            for (int i = 0; i < count; i++) {
                if (stretch[i] != first + i) {
                    throw new LagbenchException(
                            ExitCode.FILES,
                            "The capture " + capture.path() + " is corrupt: its record " + (first + i)
                                    + " has sequence number " + stretch[i] + " in place of " + (first + i) + ".");
                }
            }
        }
        blocks[0] = -1; // its reader is elsewhere now
    }

    /** When packets that follow each other were sent. */
    void readSentNs(long first, long[] values, int count) throws LagbenchException {
        read(first, sentNs, values, count);
    }

    /** When packets that follow each other were to be sent. */
    void readScheduledNs(long first, long[] values, int count) throws LagbenchException {
        read(first, scheduledNs, values, count);
    }

    /** When packets were sent; they are given in the values, and replaced there. */
    void sentNs(long[] packets, int count) throws LagbenchException {
        replace(packets, count, sentNs);
    }

    /** When packets were to be sent; they are given in the values, and replaced there. */
    void scheduledNs(long[] packets, int count) throws LagbenchException {
        replace(packets, count, scheduledNs);
    }

    private void read(long first, int field, long[] values, int count) throws LagbenchException {
        readers[0].read(first, field, values, count);
        blocks[0] = -1;
    }

    private void replace(long[] packets, int count, int field) throws LagbenchException {
        long least = Long.MAX_VALUE;
        long greatest = -1;
        for (int i = 0; i < count; i++) {
            least = Math.min(least, packets[i]);
            greatest = Math.max(greatest, packets[i]);
        }
        if (greatest - least < stretch.length) {
            if (count > 0) {
                read(least, field, stretch, (int) (greatest - least) + 1);
            }
            for (int i = 0; i < count; i++) {
                packets[i] = stretch[(int) (packets[i] - least)];
            }
        } else {
            for (int i = 0; i < count; i++) {
                packets[i] = value(packets[i], field);
            }
        }
    }

    /** How many packets the sender recorded. */
    long records() {
        return records;
    }

    long scheduledNs(long packet) throws LagbenchException {
        return value(packet, scheduledNs);
    }

    boolean hasBusCycles() {
        return readers[0].has("bus_cycle");
    }

    long busCycle(long packet) throws LagbenchException {
        return value(packet, readers[0].field("bus_cycle"));
    }

    long sentNs(long packet) throws LagbenchException {
        return value(packet, sentNs);
    }

    long returnedNs(long packet) throws LagbenchException {
        return value(packet, returnedNs);
    }

    private long value(long packet, int field) throws LagbenchException {
        long block = packet >>> BLOCK_SHIFT;
        int side = (int) block & 1;
        if (block != blocks[side]) {
            // a reader fills forward from the record it is asked for, or backward if that is before what it holds
            long first = block << BLOCK_SHIFT;
            readers[side].value(block > blocks[side] ? first : Math.min(first + BLOCK_RECORDS, records) - 1, field);
            blocks[side] = block;
        }
        return readers[side].value(packet, field);
    }

    @Override
    public void close() throws LagbenchException {
        CaptureReader even = readers[0];
        try (even) {
            readers[1].close();
        }
    }
}

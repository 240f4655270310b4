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

    /** Even blocks are read by the first, odd ones by the second. */
    private final CaptureReader[] readers;

    /** The block that each reader was last asked for. */
    private final long[] blocks = {-1, -1};

    private final long records;
    private final int scheduledNs;
    private final int sentNs;
    private final int returnedNs;

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
            checkSequence(even);
            return new SenderStamps(even, CaptureReader.open(path), scheduledNs, sentNs, returnedNs);
        } catch (LagbenchException | RuntimeException e) {
            JoinedRun.closeAfter(e, even);
            throw e;
        }
    }

    /** The record of packet n is the n-th: all else here rests on it. */
    private static void checkSequence(CaptureReader capture) throws LagbenchException {
        int sequence = capture.field("seq");
        for (long i = 0; i < capture.records(); i++) {
            long found = capture.value(i, sequence);
            if (found != i) {
                throw new LagbenchException(
                        ExitCode.FILES,
                        "The capture " + capture.path() + " is corrupt: its record " + i + " has sequence number "
                                + found + " in place of " + i + ".");
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

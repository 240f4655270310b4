package org.lagbench.analysis.join;

import java.nio.file.Path;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sender's stamps by sequence number, asked for in the order of arrival. Where packets overtake each other that
 * order hops to and fro: what the reader holds makes hops of up to some 6,000 packets cheap. Farther hops are right
 * too, but slow.
 *
 * <p>Not thread-safe. Less than half a megabyte; reading allocates nothing.
 */
final class SenderStamps implements AutoCloseable {
    private static final int STRETCH_RECORDS = 1 << 13;

    private final CaptureReader capture;
    private final int sequence;
    private final int scheduledNs;
    private final int sentNs;
    private final int returnedNs;
    private final int busCycle;
    private final long[] stretch = new long[STRETCH_RECORDS];

    private SenderStamps(CaptureReader capture) throws LagbenchException {
        this.capture = capture;
        this.sequence = capture.field("seq");
        this.scheduledNs = capture.field("scheduled_ns");
        this.sentNs = capture.field("sent_ns");
        this.returnedNs = capture.field("returned_ns");
        this.busCycle = capture.fields().indexOf("bus_cycle");
    }

    /**
     * Opens the sender's capture in a run's directory.
     *
     * @throws LagbenchException with the path, if it is missing, unreadable or corrupt
     */
    static SenderStamps open(Path directory) throws LagbenchException {
        CaptureReader capture = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME));
        try {
            return new SenderStamps(capture);
        } catch (LagbenchException | RuntimeException e) {
            JoinedRun.closeAfter(e, capture);
            throw e;
        }
    }

    /** Checks that the record of packet n is the n-th, from one packet to another: all else here rests on it. */
    void checkSequence(long from, long until) throws LagbenchException {
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
    }

    /** When packets that follow each other were sent. */
    void readSentNs(long first, long[] values, int count) throws LagbenchException {
        capture.read(first, sentNs, values, count);
    }

    /** When packets that follow each other were to be sent. */
    void readScheduledNs(long first, long[] values, int count) throws LagbenchException {
        capture.read(first, scheduledNs, values, count);
    }

    /** When packets were sent; they are given in the values, and replaced there. */
    void sentNs(long[] packets, int count) throws LagbenchException {
        replace(packets, count, sentNs);
    }

    /** When packets were to be sent; they are given in the values, and replaced there. */
    void scheduledNs(long[] packets, int count) throws LagbenchException {
        replace(packets, count, scheduledNs);
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
                capture.read(least, field, stretch, (int) (greatest - least) + 1);
            }
            for (int i = 0; i < count; i++) {
                packets[i] = stretch[(int) (packets[i] - least)];
            }
        } else {
            for (int i = 0; i < count; i++) {
                packets[i] = capture.value(packets[i], field);
            }
        }
    }

    /** How many packets the sender recorded. */
    long records() {
        return capture.records();
    }

    long scheduledNs(long packet) throws LagbenchException {
        return capture.value(packet, scheduledNs);
    }

    boolean hasBusCycles() {
        return busCycle >= 0;
    }

    long busCycle(long packet) throws LagbenchException {
        return capture.value(packet, busCycle);
    }

    long sentNs(long packet) throws LagbenchException {
        return capture.value(packet, sentNs);
    }

    long returnedNs(long packet) throws LagbenchException {
        return capture.value(packet, returnedNs);
    }

    @Override
    public void close() throws LagbenchException {
        capture.close();
    }
}

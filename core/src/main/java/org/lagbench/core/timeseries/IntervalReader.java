package org.lagbench.core.timeseries;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads a receiver's capture while it is written, an interval at a time. Does not affect the receiving thread, because
 * it reads the file, in the same process or another. Used by one thread.
 */
final class IntervalReader implements AutoCloseable {
    private static final int BLOCK = 1 << 12;

    private final CaptureReader capture;
    private final int sequence;
    private final int received;
    private final long[] sequences = new long[BLOCK];
    private final long[] stampsNs = new long[BLOCK];
    private final SequenceWindow window = new SequenceWindow();
    private final int maximumStamps;
    private long records;
    private long expected;
    private long endedNs;
    private @Nullable StampedTime time;

    /**
     * Opens a capture.
     *
     * @param maximumStamps an interval with more packets has only the stamps of packets at even distances; further
     *     copies have none
     */
    IntervalReader(Path file, int maximumStamps) throws LagbenchException {
        this.capture = CaptureReader.open(file);
        this.sequence = capture.field("seq");
        this.received = capture.field("received_ns");
        this.maximumStamps = maximumStamps;
    }

    /** Returns how long ago the first packet arrived, in ns; −1 if none has. */
    long elapsedNs() throws LagbenchException {
        if (time == null && capture.update() > 0) {
            time = new StampedTime(capture.value(0, received));
        }
        return time == null ? -1 : time.elapsedNs();
    }

    /** Returns the interval from the end of the one before to now. A packet must have arrived. */
    ReceivedInterval next() throws LagbenchException {
        return interval(elapsedNs(), false, 0);
    }

    /**
     * Returns the last interval, which ends with the last packet that arrived.
     *
     * @param sent the number of packets that were sent
     */
    ReceivedInterval last(long sent) throws LagbenchException {
        long end = capture.update();
        long lastNs = end == 0 ? 0 : capture.value(end - 1, received) - capture.value(0, received);
        return interval(Math.max(endedNs, lastNs), true, sent);
    }

    private ReceivedInterval interval(long nowNs, boolean isLast, long sent) throws LagbenchException {
        long end = capture.update();
        long count = end - records;
        long first = expected;
        long inTime = 0;
        long late = 0;
        List<Long> stamps = new ArrayList<>();
        long lastSequence = 0;
        long lastNs = 0;
        long nextSampled = 0;
        for (long done = 0; done < count; ) {
            int block = (int) Math.min(BLOCK, count - done);
            capture.read(records + done, sequence, sequences, block);
            capture.read(records + done, received, stampsNs, block);
            for (int i = 0; i < block; i++, done++) {
                boolean isFirst = window.isFirst(sequences[i]);
                if (isFirst) {
                    if (sequences[i] >= first) {
                        inTime++;
                    } else {
                        late++;
                    }
                }
                if (isFirst && done >= nextSampled) {
                    stamps.add(sequences[i] - lastSequence);
                    stamps.add(stampsNs[i] - lastNs);
                    lastSequence = sequences[i];
                    lastNs = stampsNs[i];
                    nextSampled = count <= maximumStamps ? done + 1 : count * (stamps.size() / 2) / maximumStamps;
                }
            }
        }
        records = end;
        expected = Math.max(window.next(), sent);
        long durationNs = nowNs - endedNs;
        endedNs = nowNs;
        long missing = expected - first - inTime;
        return new ReceivedInterval(durationNs, count, expected - first, missing, late, isLast, stamps);
    }

    @Override
    public void close() throws LagbenchException {
        capture.close();
    }

    /**
     * Distinguishes the first arrival of each packet from copies, for packets at most {@value #PACKETS} behind the
     * newest. Older ones count as copies. Not thread-safe; allocates nothing after its creation.
     */
    static final class SequenceWindow {
        static final int PACKETS = 1 << 20;

        private final long[] arrived = new long[PACKETS / Long.SIZE];
        private long next;

        /** Returns the sequence number after the highest one that arrived. */
        long next() {
            return next;
        }

        /** Records an arrival, and returns whether it is the first of this packet. */
        boolean isFirst(long sequence) {
            if (sequence >= next) {
                if (sequence - next >= PACKETS) {
                    Arrays.fill(arrived, 0);
                } else {
                    for (long skipped = next; skipped <= sequence; skipped++) {
                        arrived[word(skipped)] &= ~(1L << skipped);
                    }
                }
                next = sequence + 1;
            } else if (next - sequence > PACKETS || (arrived[word(sequence)] & (1L << sequence)) != 0) {
                return false;
            }
            arrived[word(sequence)] |= 1L << sequence;
            return true;
        }

        private static int word(long sequence) {
            return (int) (sequence / Long.SIZE) & (PACKETS / Long.SIZE - 1);
        }
    }
}

package org.lagbench.core.live;

import java.nio.file.Path;
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
    private final StampSample sample;
    private final int maximumStamps;
    private long records;
    private long expected;
    private long endedNs;
    private @Nullable StampedTime time;

    /**
     * Opens a capture.
     *
     * @param maximumStamps an interval with more packets has only the stamps of packets at even distances
     */
    IntervalReader(Path file, int maximumStamps) throws LagbenchException {
        this.capture = CaptureReader.open(file);
        this.sequence = capture.field("seq");
        this.received = capture.field("received_ns");
        this.maximumStamps = maximumStamps;
        this.sample = new StampSample(maximumStamps);
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
        sample.clear();
        long nextSampled = 0;
        for (long done = 0; done < count; ) {
            int block = (int) Math.min(BLOCK, count - done);
            capture.read(records + done, sequence, sequences, block);
            capture.read(records + done, received, stampsNs, block);
            for (int i = 0; i < block; i++, done++) {
                if (window.isFirst(sequences[i])) {
                    if (sequences[i] >= first) {
                        inTime++;
                    } else {
                        late++;
                    }
                }
                if (done == nextSampled) {
                    sample.add(sequences[i], stampsNs[i]);
                    nextSampled = count <= maximumStamps ? done + 1 : count * sample.size() / maximumStamps;
                }
            }
        }
        records = end;
        expected = Math.max(window.next(), sent);
        long durationNs = nowNs - endedNs;
        endedNs = nowNs;
        long missing = expected - first - inTime;
        return new ReceivedInterval(durationNs, count, expected - first, missing, late, isLast, sample.text());
    }

    @Override
    public void close() throws LagbenchException {
        capture.close();
    }
}

package org.lagbench.core.timeseries;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;

/** Reads captures of known arrivals while they are written. */
class IntervalReaderTest {
    private static final long ORIGIN_NS = 1_790_000_000_000_000_000L;
    private static final int CAPACITY = 10_000;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void choosesFile() {
        file = directory.resolve(ReceiverCapture.FILE_NAME);
    }

    @Test
    void countsLostAndLatePacketsInTheirIntervals() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(file, CAPACITY, false);
                IntervalReader reader = new IntervalReader(file, 100)) {
            arrive(capture, -2, -1); // warm-up
            assertThat(reader.elapsedNs()).isNegative();

            arrive(capture, 0, 1, 3, 3, 4); // 2 is missing, 3 came twice
            assertThat(counts(reader.next())).containsExactly(5, 5, 1, 0);
            arrive(capture, 2, 5, 7, 6); // 2 is late; 6 is only reordered within the interval
            assertThat(counts(reader.next())).containsExactly(4, 3, 0, 1);
            arrive(capture, 2, 0); // copies of earlier packets
            assertThat(counts(reader.next())).containsExactly(2, 0, 0, 0);
            arrive(capture, 9);
            assertThat(counts(reader.last(12))).containsExactly(1, 4, 3, 0);
        }
    }

    @Test
    void endsWithLastPacketAfterCaptureWasClosed() throws Exception {
        ReceiverCapture capture = ReceiverCapture.create(file, CAPACITY, false);
        try (IntervalReader reader = new IntervalReader(file, 100)) {
            arrive(capture, 0, 1, 2);
            capture.close();
            ReceivedInterval last = reader.last(3);
            assertThat(counts(last)).containsExactly(3, 3, 0, 0);
            assertThat(last.durationNs()).isEqualTo(2_000);
            assertThat(last.last()).isTrue();
        }
    }

    @Test
    void samplesPacketsAtEvenDistances() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(file, CAPACITY, false);
                IntervalReader reader = new IntervalReader(file, 4)) {
            for (long sequence = 0; sequence < CAPACITY; sequence++) {
                arrive(capture, sequence);
            }
            assertThat(reader.next().stamps())
                    .containsExactly(0L, ORIGIN_NS, 2_500L, 2_500_000L, 2_500L, 2_500_000L, 2_500L, 2_500_000L);
        }
    }

    @Test
    void hasNoStampsOfFurtherCopies() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(file, CAPACITY, false);
                IntervalReader reader = new IntervalReader(file, 4)) {
            arrive(capture, 0, 0, 1, 1);
            ReceivedInterval some = reader.next();
            assertThat(some.stamps()).containsExactly(0L, ORIGIN_NS, 1L, 1_000L);
            assertThat(some.firstCopies()).isEqualTo(2);
            arrive(capture, 1, 0, 4, 4, 3, 5, 5, 6, 6);
            ReceivedInterval sampled = reader.next();
            assertThat(sampled.stamps()).hasSizeLessThanOrEqualTo(8).startsWith(4L, ORIGIN_NS + 4_000L, -1L, -1_000L);
            assertThat(sampled.firstCopies()).isEqualTo(4);
        }
    }

    @Test
    void countsPacketsBehindWindowAsDuplicates() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(file, CAPACITY, false);
                IntervalReader reader = new IntervalReader(file, 4)) {
            arrive(capture, 0, IntervalReader.SequenceWindow.PACKETS + 1);
            assertThat(counts(reader.next()))
                    .containsExactly(
                            2, IntervalReader.SequenceWindow.PACKETS + 2, IntervalReader.SequenceWindow.PACKETS, 0);
            arrive(capture, 1, 2); // the window still covers packet 2, which is late; packet 1 counts as a copy
            assertThat(counts(reader.next())).containsExactly(2, 0, 0, 1);
        }
    }

    /** Appends packets that arrive a microsecond per sequence number after the origin. */
    private static void arrive(ReceiverCapture capture, long... sequences) {
        for (long sequence : sequences) {
            capture.append(sequence, ORIGIN_NS + 1_000 * sequence, 0);
        }
    }

    private static long[] counts(ReceivedInterval interval) {
        return new long[] {interval.received(), interval.expected(), interval.lost(), interval.late()};
    }
}

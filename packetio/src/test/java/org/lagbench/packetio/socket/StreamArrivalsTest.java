package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.linux.StreamPlace;

/** Matches segments at known times with packets of 100 bytes. */
class StreamArrivalsTest {
    private static final int PACKET_BYTES = 100;
    private static final long LATER = Long.MAX_VALUE;

    private final List<long[]> segments = new ArrayList<>();
    private long firstSequence = 4_000;

    private void segment(long offset, long bytes, long atNs) {
        segments.add(new long[] {atNs, (firstSequence + offset) & 0xffff_ffffL, bytes});
    }

    private StreamArrivals arrivals(int packets) {
        return StreamArrivals.of(this::forEach, PACKET_BYTES, packets);
    }

    private void forEach(RecordedPackets.Consumer consumer) {
        segments.forEach(each -> consumer.accept(each[0], (int) each[1], each[2], 0));
    }

    private static List<Long> all(StreamArrivals arrivals, int packets, long receivedNs) {
        List<Long> all = new ArrayList<>();
        for (int packet = 0; packet < packets; packet++) {
            all.add(arrivals.arrivedNs(packet, receivedNs));
        }
        return all;
    }

    @Test
    void stampsPacketsThatShareASegment() {
        segment(0, 300, 1_000);
        segment(300, 100, 2_000);
        assertThat(all(arrivals(4), 4, LATER)).containsExactly(1_000L, 1_000L, 1_000L, 2_000L);
    }

    @Test
    void stampsAPacketWithTheSegmentOfItsLastByte() {
        segment(0, 150, 1_000);
        segment(150, 49, 2_000);
        segment(199, 1, 3_000);
        assertThat(all(arrivals(2), 2, LATER)).containsExactly(1_000L, 3_000L);
    }

    @Test
    void countsOffsetsFromTheLowestSequenceNumber() {
        segment(200, 100, 1_000);
        segment(100, 100, 2_000);
        segment(0, 100, 3_000);
        StreamArrivals arrivals = arrivals(3);
        assertThat(all(arrivals, 3, LATER)).containsExactly(3_000L, 2_000L, 1_000L);
        assertThat(arrivals.bytes()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(longs = {0xffff_ff00L, 0, 0x7fff_ffffL})
    void followsSequenceNumbersThatWrap(long first) {
        firstSequence = first;
        for (int packet = 0; packet < 10; packet++) {
            segment(packet * 100L, 100, 1_000 + packet);
        }
        assertThat(all(arrivals(10), 10, LATER)).startsWith(1_000L, 1_001L).endsWith(1_009L);
    }

    /** The first byte of packet 0 is byte 300 of the stream. */
    @ParameterizedTest
    @ValueSource(longs = {4_000, 0xffff_ff00L, 0xffff_fe50L, 0x7fff_ffffL})
    void stampsPacketsOfAPart(long first) {
        firstSequence = first;
        segment(200, 50, 1_000);
        segment(250, 150, 2_000);
        segment(700, 100, 4_000); // segments between were not recorded
        segment(400, 200, 3_000);
        StreamArrivals part =
                StreamArrivals.ofPart(this::forEach, new StreamPlace((int) first + 500, 500), 300, PACKET_BYTES, 6);
        assertThat(all(part, 6, LATER)).containsExactly(2_000L, 3_000L, 3_000L, 0L, 4_000L, 0L);
        assertThat(part.arrivedNs(-1, LATER)).isEqualTo(StreamArrivals.UNKNOWN);
    }

    /** The sequence number of a segment after the gap is also that of an earlier byte. */
    @Test
    void stampsNothingAfterAGapOfMoreThan2GiB() {
        long after = 3L << 30;
        segment(0, 100, 1_000);
        segment(after, 100, 2_000);
        StreamArrivals part =
                StreamArrivals.ofPart(this::forEach, new StreamPlace((int) firstSequence, 0), after, PACKET_BYTES, 4);
        assertThat(all(part, 4, LATER)).containsOnly(StreamArrivals.UNKNOWN);
    }

    @Test
    void doesNotStampAPacketWithLostSegments() {
        segment(0, 150, 1_000);
        segment(160, 140, 2_000);
        StreamArrivals arrivals = arrivals(4);
        assertThat(all(arrivals, 4, LATER)).containsExactly(1_000L, 0L, 2_000L, 0L);
        assertThat(arrivals.bytes()).isEqualTo(300);
    }

    /** The kernel may have dropped what arrived first, unless the packet was received before it arrived again. */
    @Test
    void doesNotStampAPacketThatArrivedTwiceBeforeItWasReceived() {
        segment(0, 100, 1_000);
        segment(100, 100, 2_000);
        segment(50, 100, 3_000);
        StreamArrivals arrivals = arrivals(2);
        assertThat(all(arrivals, 2, 3_001)).containsExactly(0L, 0L);
        assertThat(all(arrivals, 2, 3_000)).containsExactly(1_000L, 2_000L);
        assertThat(all(arrivals, 2, 1_500)).containsExactly(1_000L, 0L); // cannot have been received before
    }

    /** Segments of random sizes, of which some arrive late and some twice, against a stamp for each byte. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithStampsOfEachByte(long seed) {
        Random random = new Random(seed);
        int packets = 60;
        long[] first = new long[packets * PACKET_BYTES];
        long[] second = new long[first.length];
        List<long[]> sent = new ArrayList<>();
        for (int from = 0; from < first.length; ) {
            int bytes = Math.min(first.length - from, 1 + random.nextInt(250));
            sent.add(new long[] {from, bytes});
            from += bytes;
        }
        for (int i = 0; i < 15; i++) {
            int from = random.nextInt(first.length);
            sent.add(new long[] {from, Math.min(first.length - from, 1 + random.nextInt(400))});
        }
        for (int i = 0; i + 4 < sent.size(); i++) {
            sent.add(i, sent.remove(i + random.nextInt(5)));
        }
        long atNs = 0;
        for (long[] segment : sent) {
            segment(segment[0], segment[1], ++atNs);
            for (long at = segment[0]; at < segment[0] + segment[1]; at++) {
                if (first[(int) at] == 0) {
                    first[(int) at] = atNs;
                } else if (second[(int) at] == 0) {
                    second[(int) at] = atNs;
                }
            }
        }
        StreamArrivals arrivals = arrivals(packets);
        for (int packet = 0; packet < packets; packet++) {
            long arrivedNs = 0;
            long againNs = LATER;
            for (int at = packet * PACKET_BYTES; at < (packet + 1) * PACKET_BYTES; at++) {
                arrivedNs = Math.max(arrivedNs, first[at]);
                againNs = second[at] == 0 ? againNs : Math.min(againNs, second[at]);
            }
            long receivedNs = random.nextLong(atNs + 1);
            boolean isKnown = arrivedNs <= receivedNs && againNs >= receivedNs;
            assertThat(arrivals.arrivedNs(packet, receivedNs)).isEqualTo(isKnown ? arrivedNs : 0);
        }
    }

    /** A retransmission brings the middle of what had left. */
    @Test
    void keepsWhenPacketsFirstLeft() {
        segment(0, 200, 1_000);
        segment(200, 150, 2_000);
        segment(100, 150, 9_000);
        StreamArrivals departures = arrivals(4);
        assertThat(LongStream.range(0, 4).map(departures::leftNs)).containsExactly(1_000L, 1_000L, 2_000L, 0L);
        assertThat(departures.hasCopies()).isTrue();
        segments.remove(2);
        assertThat(arrivals(4).hasCopies()).isFalse();
    }
}

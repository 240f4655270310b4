package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.linux.RecordedPackets;

/** Matches segments at known times with packets of 100 bytes behind headers of 10, of which several may share 4. */
class FrameArrivalsTest {
    private static final Framing FRAMING = new Framing(10, 1, 4);
    private static final int PACKET_BYTES = 100;
    private static final int FRAME_BYTES = 110;
    private static final int WARM_UP = 20;
    private static final int LEAD_OUT = 10;
    private static final long LATER = Long.MAX_VALUE;

    private final List<long[]> recorded = new ArrayList<>();
    private long firstSequence = 0xffff_ff80L;

    private void segment(long offset, long bytes, long atNs) {
        recorded.add(new long[] {atNs, (firstSequence + offset) & 0xffff_ffffL, bytes});
    }

    /** Adds a segment that begins with the frame of a packet. */
    private void frame(int packet, long offset, long bytes, long atNs) {
        segment(offset, bytes, atNs);
        recorded.add(new long[] {atNs, packet & 0xffff_ffffL, 0});
    }

    private FrameArrivals arrivals(int packets) {
        return arrivals(FRAMING, packets);
    }

    private FrameArrivals arrivals(Framing framing, int packets) {
        RecordedPackets all = consumer -> recorded.forEach(each -> consumer.accept(each[0], (int) each[1], each[2], 0));
        return FrameArrivals.of(all, framing, PACKET_BYTES, WARM_UP, packets);
    }

    private List<Long> all(int packets, long receivedNs) {
        FrameArrivals arrivals = arrivals(packets);
        return LongStream.range(0, packets)
                .mapToObj(packet -> arrivals.arrivedNs(packet, receivedNs))
                .toList();
    }

    /** The end of the last packet is not known. */
    @Test
    void stampsPacketsWithOneSegmentEach() {
        frame(-1, 0, 110, 900);
        frame(0, 110, 110, 1_000);
        frame(1, 220, 110, 2_000);
        frame(2, 330, 110, 3_000);
        assertThat(all(3, LATER)).containsExactly(1_000L, 2_000L, 0L);
    }

    @Test
    void stampsAPacketWithTheSegmentOfItsLastByte() {
        frame(0, 0, 60, 1_000);
        segment(60, 49, 1_100);
        segment(109, 1, 1_200);
        frame(1, 110, 110, 2_000);
        assertThat(all(2, LATER)).startsWith(1_200L);
    }

    @Test
    void stampsPacketsThatShareASegment() {
        frame(0, 0, 330, 1_000);
        frame(3, 330, 110, 2_000);
        frame(4, 440, 110, 3_000);
        assertThat(all(5, LATER)).containsExactly(1_000L, 1_000L, 1_000L, 2_000L, 0L);
    }

    /** Nothing else is known of where packets 0 and 2 are. */
    @Test
    void stampsPacketsBetweenThoseOfTheWarmUpAndTheLeadOut() {
        frame(-2, 0, 330, 1_000);
        frame(1, 330, 220, 2_000);
        frame(-WARM_UP - LEAD_OUT, 550, 110, 3_000);
        frame(-WARM_UP - LEAD_OUT + 1, 660, 110, 4_000);
        assertThat(all(3, LATER)).containsExactly(1_000L, 2_000L, 2_000L);
    }

    /** The first packet of the lead-out, in the segment of packet 0, is not known: packet 0 ends at 110 to 220. */
    @Test
    void limitsTheLastPacketByALaterOneOfTheLeadOut() {
        frame(0, 0, 220, 1_000);
        frame(-WARM_UP - LEAD_OUT + 1, 220, 110, 2_000);
        assertThat(all(1, LATER)).containsExactly(1_000L);
    }

    /** The other two packets of the first frame need no more than 6 bytes of the header. */
    @Test
    void stampsPacketsThatShareAHeader() {
        frame(0, 0, 110 + 106, 1_000);
        segment(216, 106, 1_100);
        frame(3, 322, 110, 2_000);
        frame(4, 432, 110, 3_000);
        assertThat(all(5, LATER)).containsExactly(1_000L, 1_000L, 1_100L, 2_000L, 0L);
    }

    /** Another message of 7 bytes is somewhere between the packets: packet 1 ends at 216 to 231. */
    @Test
    void stampsNoPacketThatMayEndInTwoSegments() {
        frame(0, 0, 225, 1_000);
        segment(225, 112, 1_100);
        frame(3, 337, 110, 2_000);
        frame(4, 447, 110, 3_000);
        assertThat(all(5, LATER)).containsExactly(1_000L, 0L, 1_100L, 2_000L, 0L);
    }

    /** Of 7 more bytes it is not known whether they are before the packet's last byte. */
    @Test
    void stampsAPacketIfOneSegmentBroughtAllThatMayBeItsEnd() {
        frame(0, 0, 117, 1_000);
        frame(1, 117, 110, 2_000);
        segment(227, 7, 2_500);
        frame(2, 234, 110, 3_000);
        frame(3, 344, 112, 4_000);
        segment(456, 5, 4_500);
        frame(4, 461, 110, 5_000);
        assertThat(all(5, LATER)).containsExactly(1_000L, 0L, 3_000L, 0L, 0L);
        assertThat(all(5, 4_499)).containsExactly(1_000L, 0L, 3_000L, 4_000L, 0L);
        assertThat(all(5, 2_499)).containsExactly(1_000L, 2_000L, 0L, 0L, 0L);
    }

    @Test
    void doesNotStampAPacketWhoseEndIsNotRecorded() {
        frame(0, 0, 112, 1_000);
        frame(1, 117, 110, 2_000);
        assertThat(all(2, LATER)).containsExactly(0L, 0L);
    }

    @Test
    void doesNotStampAPacketThatArrivedTwiceBeforeItWasReceived() {
        frame(0, 0, 110, 1_000);
        frame(0, 0, 110, 1_500);
        frame(1, 110, 110, 2_000);
        assertThat(all(2, 1_501)).startsWith(0L);
        assertThat(all(2, 1_500)).startsWith(1_000L);
    }

    /** Packet 0 is retransmitted. Packet 1 or 2 leaves with the last byte of the segment. */
    @Test
    void stampsTheFirstDepartureOfAPacket() {
        frame(0, 0, 110, 1_000);
        frame(1, 110, 225, 1_100);
        frame(0, 0, 110, 1_200);
        segment(335, 112, 1_300);
        frame(4, 447, 110, 2_000);
        FrameArrivals departures = arrivals(5);
        assertThat(LongStream.range(0, 5).mapToObj(departures::leftNs)).containsExactly(1_000L, 1_100L, 0L, 1_300L, 0L);
        assertThat(departures.hasCopies()).isTrue();
    }

    /** A message of one byte follows packets 0 and 1. */
    @Test
    void stampsWholePacketsBeforeOtherMessages() {
        frame(0, 0, 110, 1_000);
        segment(110, 1, 1_900);
        frame(1, 111, 110, 2_000);
        segment(221, 1, 2_900);
        frame(2, 222, 110, 3_000);
        FrameArrivals departures = arrivals(new Framing(10, 1, 0, null, true), 3);
        assertThat(LongStream.range(0, 3).mapToObj(departures::leftNs)).containsExactly(1_000L, 2_000L, 0L);
        assertThat(arrivals(3).leftNs(0)).isZero();
    }

    @Test
    void ignoresTheNumberOfAPacketWhoseSegmentIsMissing() {
        segment(0, 50, 900);
        recorded.add(new long[] {1_000, 0, 0});
        frame(1, 160, 110, 2_000);
        assertThat(all(2, LATER)).containsExactly(0L, 0L);
    }

    /** Random messages between and within frames, in random segments: no stamp is another one than that of the end. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void agreesWithTheEndOfEachPacket(long seed) {
        Random random = new Random(seed);
        firstSequence = random.nextLong();
        int packets = 200;
        int all = WARM_UP + packets + LEAD_OUT;
        long[] endNs = new long[all];
        long offset = 0;
        long sent = 0; // until here all is in segments
        long atNs = 1_000;
        int beginning = -1; // the packet whose frame the next segment begins with
        int stamped = 0;
        for (int packet = 0; packet < all; packet++) {
            beginning = sent == offset ? packet : beginning;
            boolean sharesHeader = sent != offset && random.nextInt(3) == 0;
            offset += FRAME_BYTES - (sharesHeader ? 4 : 0);
            offset += random.nextInt(5) == 0 ? random.nextInt(30) : 0; // another message within
            long end = offset;
            offset += random.nextInt(5) == 0 ? random.nextInt(30) : 0; // and after it
            boolean isFlushed = random.nextInt(4) > 0;
            while (isFlushed && sent < offset) {
                long bytes = Math.min(offset - sent, random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 1_000);
                atNs += 10;
                if (beginning >= 0 && bytes > 30) {
                    frame(number(beginning, packets), sent, bytes, atNs);
                } else {
                    segment(sent, bytes, atNs);
                }
                beginning = -1;
                sent += bytes;
                for (int i = 0; i <= packet; i++) {
                    endNs[i] = endNs[i] < 0 && sent >= -endNs[i] ? atNs : endNs[i];
                }
                endNs[packet] = endNs[packet] == 0 && sent >= end ? atNs : endNs[packet];
            }
            endNs[packet] = endNs[packet] == 0 ? -end : endNs[packet];
        }
        FrameArrivals arrivals = arrivals(packets);
        for (int packet = 0; packet < packets; packet++) {
            long endedNs = endNs[WARM_UP + packet];
            long arrivedNs = endedNs < 0 ? 0 : arrivals.arrivedNs(packet, endedNs + random.nextInt(50));
            if (arrivedNs != 0) {
                assertThat(arrivedNs).isEqualTo(endedNs);
                stamped++;
            }
        }
        assertThat(stamped).isGreaterThan(packets / 4);
    }

    /** Returns the sequence number of a packet of a run. */
    private static int number(int packet, int recorded) {
        int index = packet - WARM_UP;
        return index < recorded ? index : index - recorded - WARM_UP - LEAD_OUT;
    }
}

package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.transport.DatagramMarks;

/** Matches datagrams at known times with packets of 100 bytes. */
class DatagramArrivalsTest {
    private static final int PACKET_BYTES = 100;
    private static final int PACKETS = 4;
    private static final long LATER = Long.MAX_VALUE;

    private final List<long[]> datagrams = new ArrayList<>();

    private void datagram(long sequence, long bytes, long atNs) {
        datagrams.add(new long[] {atNs, sequence & 0xffff_ffffL, bytes});
    }

    private void forEach(RecordedPackets.Consumer consumer) {
        datagrams.forEach(each -> consumer.accept(each[0], (int) each[1], each[2], 0));
    }

    private List<Long> all(Framing framing, long receivedNs) {
        DatagramArrivals arrivals = DatagramArrivals.of(this::forEach, framing, PACKET_BYTES, 0, PACKETS);
        return LongStream.range(0, PACKETS)
                .mapToObj(packet -> arrivals.arrivedNs(packet, receivedNs))
                .toList();
    }

    @Test
    void stampsPacketsByTheirSequenceNumbers() {
        datagram(-1, 100, 900); // a packet of the warm-up
        datagram(0, 100, 1_000);
        datagram(3, 100, 2_000);
        datagram(1, 100, 3_000);
        datagram(4, 100, 4_000);
        assertThat(all(Framing.NONE, LATER)).containsExactly(1_000L, 3_000L, 0L, 2_000L);
    }

    @Test
    void stampsNothingThatIsNoPacket() {
        datagram(0, 99, 1_000);
        datagram(1, 101, 2_000);
        assertThat(all(Framing.NONE, LATER)).containsOnly(0L);
    }

    @Test
    void stampsAllPacketsOfADatagramWithItsTime() {
        datagram(-1, 2 * 160, 1_000);
        datagram(1, 3 * 160, 2_000);
        assertThat(all(new Framing(32, 32), LATER)).containsExactly(1_000L, 2_000L, 2_000L, 2_000L);
    }

    @Test
    void stampsPacketsByTheMarksOfTheirDatagrams() {
        DatagramMarks written = new DatagramMarks(25);
        written.arm(PACKETS + 2);
        for (int mark : new int[] {7, -1, 9, 8, 9}) { // the first one is of the warm-up
            written.add(mark);
        }
        datagram(8, 101, 4_000);
        datagram(7, 101, 1_000);
        datagram(-1, 101, 2_000);
        datagram(-1, 101, 2_500);
        datagram(9, 101, 3_000);
        datagram(8, 100, 500); // no packet
        datagram(6, 101, 600);
        DatagramArrivals departures = DatagramArrivals.ofMarked(this::forEach, written, PACKET_BYTES, 1, PACKETS);
        assertThat(LongStream.range(0, PACKETS).map(departures::leftNs)).containsExactly(2_000L, 0L, 4_000L, 0L);
        assertThat(departures.hasCopies()).isTrue();
    }

    @Test
    void stampsEncryptedPacketsByTheirNumbersInTheConnection() {
        Framing framing = new Framing(16, 1, 0, new Framing.NumberField(4, 0xffff, 1), false);
        datagram(0xc000_0002L, 116, 1_000); // a packet of the warm-up
        datagram(0xc000_0003L, 116, 2_000);
        datagram(0xc000_0003L, 28, 2_500); // no packet
        datagram(0xe000_0004L, 116, 3_000);
        datagram(0, 116, 4_000);
        DatagramArrivals arrivals = DatagramArrivals.of(this::forEach, framing, PACKET_BYTES, 2, PACKETS);
        assertThat(LongStream.range(0, PACKETS).map(arrivals::leftNs)).containsExactly(2_000L, 3_000L, 0L, 0L);
        assertThat(arrivals.hasCopies()).isFalse();
    }

    /** The kernel may have dropped what arrived first, unless the packet was received before it arrived again. */
    @Test
    void doesNotStampAPacketThatArrivedTwiceBeforeItWasReceived() {
        datagram(0, 100, 3_000); // two CPUs may record in another order
        datagram(0, 100, 1_000);
        datagram(0, 100, 2_000);
        datagram(1, 100, 1_500);
        assertThat(all(Framing.NONE, 2_001)).startsWith(0L, 1_500L);
        assertThat(all(Framing.NONE, 2_000)).startsWith(1_000L, 1_500L);
        assertThat(all(Framing.NONE, 1_200)).startsWith(1_000L, 0L); // cannot have been received before
    }

    @Test
    void keepsWhenPacketsFirstLeft() {
        datagram(0, 100, 3_000);
        datagram(1, 100, 2_000);
        datagram(0, 100, 1_000);
        DatagramArrivals departures = DatagramArrivals.of(this::forEach, Framing.NONE, PACKET_BYTES, 0, PACKETS);
        assertThat(LongStream.range(0, PACKETS).map(departures::leftNs)).containsExactly(1_000L, 2_000L, 0L, 0L);
        assertThat(departures.hasCopies()).isTrue();
    }
}
